-- The sites whose events a webhook endpoint receives: NULL is everything, an empty list nothing. No foreign key: a site that is deleted stays in the
-- list, since it may be restored.
ALTER TABLE trellis.webhook_endpoints ADD COLUMN site_ids uuid[];
ALTER TABLE trellis.webhook_subscriptions ADD COLUMN site_ids uuid[];
