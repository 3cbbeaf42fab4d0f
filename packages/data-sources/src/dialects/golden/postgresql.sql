-- https://www.postgresql.org/docs/current/functions-json.html (json_array_elements, ->>)
-- https://www.postgresql.org/docs/current/sql-update.html (UPDATE … FROM)
-- https://www.postgresql.org/docs/current/sql-copy.html (COPY … FROM STDIN, text format)
-- https://www.postgresql.org/docs/current/functions-matching.html (LIKE … ESCAPE)
-- https://www.postgresql.org/docs/current/collation.html (COLLATE "C" of a column wins over the default of a value)
-- https://www.postgresql.org/docs/current/functions-string.html (octet_length)

-- create the control table
CREATE TABLE "kaptain_tables" ("k_table" text NOT NULL, "k_last_change" bigint NOT NULL, "k_reloaded_through" bigint NOT NULL, "k_made_by_us" bigint NOT NULL, PRIMARY KEY ("k_table"));

-- create the history table
CREATE TABLE "kaptain_history" ("k_table" text NOT NULL, "k_id" varchar(32) COLLATE "C" NOT NULL, "k_version" bigint NOT NULL, "k_updated_at" varchar(24) COLLATE "C" NOT NULL, "k_deleted_at" varchar(24) COLLATE "C", "k_deleted_by" text, "k_restored_by" text, "k_user" text, "k_data" text, PRIMARY KEY ("k_table", "k_id", "k_version"));

-- create a table
CREATE TABLE "comments" ("OrderId" text COLLATE "C" NOT NULL, "Comment" text, "Amount" double precision, "Done" boolean, "Due" date, "Seen" timestamptz(3), "Tags" text, "k_id" varchar(32) COLLATE "C", "k_user" text, "k_version" bigint, "k_change" bigint, "k_created_at" varchar(24) COLLATE "C", "k_updated_at" varchar(24) COLLATE "C", "k_deleted_at" varchar(24) COLLATE "C", "k_deleted_by" text, PRIMARY KEY ("OrderId"));

-- add a column
ALTER TABLE "comments" ADD COLUMN "Extra" text;

-- create an index
CREATE UNIQUE INDEX "k_1" ON "comments" ("k_id");

-- record who made a table
INSERT INTO "kaptain_tables" ("k_table", "k_last_change", "k_reloaded_through", "k_made_by_us") VALUES ($1, 0, 0, 1);
--   1: comments

-- correct who made a table
UPDATE "kaptain_tables" SET "k_made_by_us" = 0 WHERE "k_table" = $1;
--   1: comments

-- count unusable keys
SELECT count(*) FROM (SELECT "OrderId" FROM "comments" GROUP BY "OrderId" HAVING count(*) > 1 OR "OrderId" IS NULL) t;

-- lock the table
UPDATE "kaptain_tables" SET "k_last_change" = "k_last_change" + 1 WHERE "k_table" = $1;
--   1: comments

-- read the control row
SELECT "k_last_change", "k_reloaded_through", "k_made_by_us" FROM "kaptain_tables" WHERE "k_table" = $1;
--   1: comments

-- adopt rows of other programs
UPDATE "comments" SET "k_id" = left(encode(sha256(convert_to('9 ' || CAST("OrderId" AS text), 'UTF8')), 'hex'), 32), "k_user" = $1, "k_version" = 1, "k_change" = 9, "k_created_at" = $2, "k_updated_at" = $3 WHERE "k_id" IS NULL AND "OrderId" IS NOT NULL;
--   1: 
--   2: 2026-01-31T10:00:00.000Z
--   3: 2026-01-31T10:00:00.000Z

-- find by keys
SELECT s.c0, t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", t."Due", t."Seen", t."Tags" FROM (SELECT CAST(e->>0 AS text) AS c0 FROM json_array_elements(CAST($1 AS json)) AS e) AS s INNER JOIN "comments" t ON t."OrderId" = s.c0;
--   1: [["A-1"]]

-- find how long rows are by keys
SELECT s.c0, t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM (SELECT CAST(e->>0 AS text) AS c0 FROM json_array_elements(CAST($1 AS json)) AS e) AS s INNER JOIN "comments" t ON t."OrderId" = s.c0 WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL;
--   1: [["A-1"]]

-- find by ids
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", t."Due", t."Seen", t."Tags" FROM (SELECT CAST(e->>0 AS text) AS c0 FROM json_array_elements(CAST($1 AS json)) AS e) AS s INNER JOIN "comments" t ON t."k_id" = s.c0;
--   1: [["0123456789abcdef01234567"]]

-- insert rows
INSERT INTO "comments" ("OrderId", "k_id", "k_user", "k_version", "k_change", "k_created_at", "k_updated_at", "k_deleted_at", "k_deleted_by", "Comment", "Amount", "Done", "Due", "Seen", "Tags") SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8, s.c9, s.c10, s.c11, s.c12, s.c13, s.c14 FROM (SELECT CAST(e->>0 AS text) AS c0, CAST(e->>1 AS text) AS c1, CAST(e->>2 AS text) AS c2, CAST(e->>3 AS bigint) AS c3, CAST(e->>4 AS bigint) AS c4, CAST(e->>5 AS text) AS c5, CAST(e->>6 AS text) AS c6, CAST(e->>7 AS text) AS c7, CAST(e->>8 AS text) AS c8, CAST(e->>9 AS text) AS c9, CAST(e->>10 AS numeric) AS c10, CAST(e->>11 AS boolean) AS c11, CAST(e->>12 AS date) AS c12, CAST(e->>13 AS timestamptz) AS c13, CAST(e->>14 AS text) AS c14 FROM json_array_elements(CAST($1 AS json)) AS e) AS s;
--   1: [["A-1","0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- update rows
UPDATE "comments" AS t SET "k_user" = s.c1, "k_version" = s.c2, "k_change" = s.c3, "k_created_at" = s.c4, "k_updated_at" = s.c5, "k_deleted_at" = s.c6, "k_deleted_by" = s.c7, "Comment" = s.c8, "Amount" = s.c9, "Done" = s.c10, "Due" = s.c11, "Seen" = s.c12, "Tags" = s.c13 FROM (SELECT CAST(e->>0 AS text) AS c0, CAST(e->>1 AS text) AS c1, CAST(e->>2 AS bigint) AS c2, CAST(e->>3 AS bigint) AS c3, CAST(e->>4 AS text) AS c4, CAST(e->>5 AS text) AS c5, CAST(e->>6 AS text) AS c6, CAST(e->>7 AS text) AS c7, CAST(e->>8 AS text) AS c8, CAST(e->>9 AS numeric) AS c9, CAST(e->>10 AS boolean) AS c10, CAST(e->>11 AS date) AS c11, CAST(e->>12 AS timestamptz) AS c12, CAST(e->>13 AS text) AS c13 FROM json_array_elements(CAST($1 AS json)) AS e) AS s WHERE t."k_id" = s.c0;
--   1: [["0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- delete rows
UPDATE "comments" AS t SET "k_change" = s.c1, "k_deleted_at" = s.c2, "k_deleted_by" = s.c3 FROM (SELECT CAST(e->>0 AS text) AS c0, CAST(e->>1 AS bigint) AS c1, CAST(e->>2 AS text) AS c2, CAST(e->>3 AS text) AS c3 FROM json_array_elements(CAST($1 AS json)) AS e) AS s WHERE t."k_id" = s.c0;
--   1: [["0123456789abcdef01234567",9,"2026-01-31T10:00:00.000Z","Ann"]]

-- add to the history
INSERT INTO "kaptain_history" ("k_table", "k_id", "k_version", "k_updated_at", "k_deleted_at", "k_deleted_by", "k_restored_by", "k_user", "k_data") SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8 FROM (SELECT CAST(e->>0 AS text) AS c0, CAST(e->>1 AS text) AS c1, CAST(e->>2 AS bigint) AS c2, CAST(e->>3 AS text) AS c3, CAST(e->>4 AS text) AS c4, CAST(e->>5 AS text) AS c5, CAST(e->>6 AS text) AS c6, CAST(e->>7 AS text) AS c7, CAST(e->>8 AS text) AS c8 FROM json_array_elements(CAST($1 AS json)) AS e) AS s;
--   1: [["comments","0123456789abcdef01234567",1,"2026-01-31T10:00:00.000Z",null,null,null,"Ann","{\"text\":\"good\"}"]]

-- find how long a row is
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM (SELECT CAST(e->>0 AS text) AS c0 FROM json_array_elements(CAST($1 AS json)) AS e) AS s INNER JOIN "comments" t ON t."k_id" = s.c0;
--   1: [["0123456789abcdef01234567"]]

-- read a page
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(CAST(t."OrderId" AS text) COLLATE "default") LIKE $1 ESCAPE '!' OR LOWER(CAST(t."k_user" AS text) COLLATE "default") LIKE $2 ESCAPE '!' OR LOWER(CAST(t."Comment" AS text) COLLATE "default") LIKE $3 ESCAPE '!' OR LOWER(CAST(t."Amount" AS text) COLLATE "default") LIKE $4 ESCAPE '!' OR LOWER(CAST(CASE WHEN t."Done" THEN 'true' ELSE 'false' END AS text) COLLATE "default") LIKE $5 ESCAPE '!' OR LOWER(CAST(t."Due" AS text) COLLATE "default") LIKE $6 ESCAPE '!' OR LOWER(CAST(t."Seen" AS text) COLLATE "default") LIKE $7 ESCAPE '!' OR LOWER(CAST(t."Tags" AS text) COLLATE "default") LIKE $8 ESCAPE '!') ORDER BY t."OrderId" ASC, t."k_id" ASC LIMIT 10 OFFSET 20;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- read a page that is filtered and sorted by fields
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(CAST(t."OrderId" AS text) COLLATE "default") LIKE $1 ESCAPE '!' OR LOWER(CAST(t."k_user" AS text) COLLATE "default") LIKE $2 ESCAPE '!' OR LOWER(CAST(t."Comment" AS text) COLLATE "default") LIKE $3 ESCAPE '!' OR LOWER(CAST(t."Amount" AS text) COLLATE "default") LIKE $4 ESCAPE '!' OR LOWER(CAST(CASE WHEN t."Done" THEN 'true' ELSE 'false' END AS text) COLLATE "default") LIKE $5 ESCAPE '!' OR LOWER(CAST(t."Due" AS text) COLLATE "default") LIKE $6 ESCAPE '!' OR LOWER(CAST(t."Seen" AS text) COLLATE "default") LIKE $7 ESCAPE '!' OR LOWER(CAST(t."Tags" AS text) COLLATE "default") LIKE $8 ESCAPE '!') AND (t."Comment" IS NOT NULL AND LOWER(CAST(t."Comment" AS text) COLLATE "default") LIKE $9 ESCAPE '!') AND t."Amount" >= CAST($10 AS double precision) AND t."Amount" <= CAST($11 AS double precision) AND left(CAST(t."Due" AS text) COLLATE "default", 10) >= $12 AND left(CAST(t."Due" AS text) COLLATE "default", 10) <= $13 AND left(CAST(t."Comment" AS text) COLLATE "default", 10) >= $14 AND left(CAST(t."Comment" AS text) COLLATE "default", 10) <= $15 AND REPLACE(left(CAST(t."Seen" AS text) COLLATE "default", 19), ' ', 'T') >= $16 AND REPLACE(left(CAST(t."Seen" AS text) COLLATE "default", 19), ' ', 'T') <= $17 AND (t."Done" IS NOT NULL AND LOWER(CAST(CASE WHEN t."Done" THEN 'true' ELSE 'false' END AS text) COLLATE "default") LIKE $18 ESCAPE '!') AND (t."Comment" IS NULL OR COALESCE(OCTET_LENGTH(t."Comment"), 0) = 0) AND NOT (t."Tags" IS NULL OR COALESCE(OCTET_LENGTH(t."Tags"), 0) = 0 OR LOWER(CAST(t."Tags" AS text) COLLATE "default") LIKE $19 ESCAPE '!') ORDER BY CASE WHEN t."Comment" IS NULL THEN 1 ELSE 0 END, t."Comment" ASC, t."k_id" LIMIT 10 OFFSET 20;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%
--   9: %50!%%
--   10: -1.5
--   11: 7
--   12: 2026-01-31
--   13: 9999-12-31T23:59:59
--   14: 2026-01-31
--   15: 9999-12-31T23:59:59
--   16: 0001-01-01
--   17: 2026-01-31T10:00:00
--   18: %50!%%
--   19: []

-- read a page in descending order of a number
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(CAST(t."OrderId" AS text) COLLATE "default") LIKE $1 ESCAPE '!' OR LOWER(CAST(t."k_user" AS text) COLLATE "default") LIKE $2 ESCAPE '!' OR LOWER(CAST(t."Comment" AS text) COLLATE "default") LIKE $3 ESCAPE '!' OR LOWER(CAST(t."Amount" AS text) COLLATE "default") LIKE $4 ESCAPE '!' OR LOWER(CAST(CASE WHEN t."Done" THEN 'true' ELSE 'false' END AS text) COLLATE "default") LIKE $5 ESCAPE '!' OR LOWER(CAST(t."Due" AS text) COLLATE "default") LIKE $6 ESCAPE '!' OR LOWER(CAST(t."Seen" AS text) COLLATE "default") LIKE $7 ESCAPE '!' OR LOWER(CAST(t."Tags" AS text) COLLATE "default") LIKE $8 ESCAPE '!') ORDER BY CASE WHEN t."Amount" IS NULL THEN 1 ELSE 0 END, t."Amount" DESC, t."k_id" LIMIT 10 OFFSET 20;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- count reloaded
SELECT count(*) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND t."k_change" <= 5;

-- count deleted
SELECT count(*) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NOT NULL AND (LOWER(CAST(t."OrderId" AS text) COLLATE "default") LIKE $1 ESCAPE '!' OR LOWER(CAST(t."k_user" AS text) COLLATE "default") LIKE $2 ESCAPE '!' OR LOWER(CAST(t."Comment" AS text) COLLATE "default") LIKE $3 ESCAPE '!' OR LOWER(CAST(t."Amount" AS text) COLLATE "default") LIKE $4 ESCAPE '!' OR LOWER(CAST(CASE WHEN t."Done" THEN 'true' ELSE 'false' END AS text) COLLATE "default") LIKE $5 ESCAPE '!' OR LOWER(CAST(t."Due" AS text) COLLATE "default") LIKE $6 ESCAPE '!' OR LOWER(CAST(t."Seen" AS text) COLLATE "default") LIKE $7 ESCAPE '!' OR LOWER(CAST(t."Tags" AS text) COLLATE "default") LIKE $8 ESCAPE '!');
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- stream since a watermark
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", t."Due", t."Seen", t."Tags" FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND t."k_change" > 3 ORDER BY t."k_change", t."k_id";

-- stream since a watermark with deletions
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", t."Due", t."Seen", t."Tags" FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_change" > 3 ORDER BY t."k_change", t."k_id";

-- count deleted since a watermark
SELECT count(*) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NOT NULL AND t."k_change" > 3;

-- read how long the history is
SELECT "k_version", "k_updated_at", "k_deleted_at", "k_deleted_by", "k_restored_by", "k_user", COALESCE(OCTET_LENGTH("k_data"), 0) FROM "kaptain_history" WHERE "k_table" = $1 AND "k_id" = $2 AND "k_version" < 7 ORDER BY "k_version" DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- read the history
SELECT "k_version", "k_data" FROM "kaptain_history" WHERE "k_table" = $1 AND "k_id" = $2 AND "k_version" >= 3 AND "k_version" < 7 AND COALESCE(OCTET_LENGTH("k_data"), 0) <= 1048576 ORDER BY "k_version" DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- count changes per day
SELECT d, count(*) FROM (SELECT left("k_updated_at", 10) AS d FROM "comments" WHERE "k_updated_at" >= $1 UNION ALL SELECT left("k_deleted_at", 10) AS d FROM "comments" WHERE "k_deleted_at" >= $2 UNION ALL SELECT left("k_updated_at", 10) AS d FROM "kaptain_history" WHERE "k_table" = $3 AND "k_updated_at" >= $4 UNION ALL SELECT left("k_deleted_at", 10) AS d FROM "kaptain_history" WHERE "k_table" = $5 AND "k_deleted_at" >= $6) t GROUP BY d ORDER BY d;
--   1: 2026-01-01
--   2: 2026-01-01
--   3: comments
--   4: 2026-01-01
--   5: comments
--   6: 2026-01-01

-- mark as reloaded
UPDATE "kaptain_tables" SET "k_reloaded_through" = 9 WHERE "k_table" = $1;
--   1: comments

-- drop a table
DROP TABLE "comments" RESTRICT;
