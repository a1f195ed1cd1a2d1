-- Addresses that their mail server has refused for good. By a hash: most are of students, some of strangers who were
-- asked a mail for. Whoever gets a mail there again is taken out; what is left goes after 90 days.
CREATE TABLE refused_addresses (
  address_sha256 bytea PRIMARY KEY CHECK (length(address_sha256) = 32),
  refused_at timestamptz(3) NOT NULL DEFAULT now()
);
