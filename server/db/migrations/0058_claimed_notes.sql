-- Which note a claim is about, also when it has been deleted: who claimed is told so.
ALTER TABLE copyright_claims ADD COLUMN claimed_note_id uuid;
UPDATE copyright_claims SET claimed_note_id = note_id;
