-- The language of a publication is null when nobody has given it; search then finds its words, but not their other forms.
ALTER TABLE trellis.books ALTER COLUMN language DROP NOT NULL;
ALTER TABLE trellis.magazines ALTER COLUMN language DROP NOT NULL;
