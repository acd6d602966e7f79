-- A publishable key may name its organization in its text. The new condition permits every key that there is; the table has one row for each
-- website that identifies visitors.
ALTER TABLE trellis.publishable_keys
  DROP CONSTRAINT publishable_keys_key_check,
  ADD CONSTRAINT publishable_keys_key_check CHECK (char_length(key) IN (43, 69));
