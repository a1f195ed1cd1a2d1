-- A user goes by `server/users/remove-user.ts`, which keeps counters and files right. A cascade would leave counters
-- that count the dead, so the database refuses a user who still has notes or ratings.
ALTER TABLE notes
  DROP CONSTRAINT notes_user_id_fkey,
  ADD CONSTRAINT notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE RESTRICT;
ALTER TABLE ratings
  DROP CONSTRAINT ratings_user_id_fkey,
  ADD CONSTRAINT ratings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE RESTRICT;
