-- What receivers answered about a record is erased when the record is deleted: an answer may repeat what was sent.

CREATE INDEX webhook_deliveries_subject ON trellis.webhook_deliveries (organization_id, (event ->> 'subjectId'));
GRANT UPDATE (answer) ON trellis.webhook_attempts TO trellis_worker;
