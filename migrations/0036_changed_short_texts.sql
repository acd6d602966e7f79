-- Searches look at the records whose short texts have changed since their long ones were indexed, so that the words beside those
-- can be replaced later. See docs/decisions/0057-costs-of-searched-texts.md.
GRANT SELECT ON trellis.search_marks TO trellis_search;
CREATE POLICY search ON trellis.search_marks FOR SELECT TO trellis_search USING (true);
CREATE INDEX search_marks_changed ON trellis.search_marks (organization_id, type, parent_id) WHERE editions = '{}';
