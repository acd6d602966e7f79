-- What the migration before needed.
DROP POLICY filling ON trellis.search_texts;
DROP POLICY filling ON trellis.article_versions;
DROP POLICY filling ON trellis.search_marks;
