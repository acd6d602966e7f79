-- The owner of the tables sees no records again.

DROP POLICY timers ON trellis.article_versions;
DROP POLICY timers ON trellis.knowledge_files;
DROP POLICY timers ON trellis.timers;
