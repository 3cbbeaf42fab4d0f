-- https://docs.snowflake.com/en/sql-reference/functions/flatten (TABLE(FLATTEN(INPUT => …)))
-- https://docs.snowflake.com/en/sql-reference/functions/parse_json (PARSE_JSON of a bound text)
-- https://docs.snowflake.com/en/user-guide/semistructured-considerations (the null of JSON cast to a text is NULL)
-- https://docs.snowflake.com/en/sql-reference/functions/to_double (the null of JSON is NULL)
-- https://docs.snowflake.com/en/sql-reference/sql/merge (WHEN MATCHED THEN UPDATE)
-- https://docs.snowflake.com/en/sql-reference/sql/drop-table (RESTRICT warns, and drops nothing)
-- https://docs.snowflake.com/en/sql-reference/constraints-overview (keys are declared, not enforced)
-- https://docs.snowflake.com/en/sql-reference/functions/octet_length (OCTET_LENGTH)

-- create the control table
CREATE TABLE "kaptain_tables" ("k_table" VARCHAR(255) NOT NULL, "k_last_change" NUMBER(19, 0) NOT NULL, "k_reloaded_through" NUMBER(19, 0) NOT NULL, "k_made_by_us" NUMBER(19, 0) NOT NULL, PRIMARY KEY ("k_table"));

-- create the history table
CREATE TABLE "kaptain_history" ("k_table" VARCHAR(255) NOT NULL, "k_id" VARCHAR(32) NOT NULL, "k_version" NUMBER(19, 0) NOT NULL, "k_updated_at" VARCHAR(24) NOT NULL, "k_deleted_at" VARCHAR(24), "k_deleted_by" VARCHAR(255), "k_restored_by" VARCHAR(255), "k_user" VARCHAR(255), "k_data" VARCHAR, PRIMARY KEY ("k_table", "k_id", "k_version"));

-- create a table
CREATE TABLE "comments" ("OrderId" VARCHAR(1000) NOT NULL, "Comment" VARCHAR, "Amount" FLOAT, "Done" BOOLEAN, "Due" DATE, "Seen" TIMESTAMP_NTZ(3), "Tags" VARCHAR, "k_id" VARCHAR(32), "k_user" VARCHAR(255), "k_version" NUMBER(19, 0), "k_change" NUMBER(19, 0), "k_created_at" VARCHAR(24), "k_updated_at" VARCHAR(24), "k_deleted_at" VARCHAR(24), "k_deleted_by" VARCHAR(255), PRIMARY KEY ("OrderId"));

-- add a column
ALTER TABLE "comments" ADD COLUMN "Extra" VARCHAR;

-- record who made a table
INSERT INTO "kaptain_tables" ("k_table", "k_last_change", "k_reloaded_through", "k_made_by_us") VALUES (?, 0, 0, 1);
--   1: comments

-- correct who made a table
UPDATE "kaptain_tables" SET "k_made_by_us" = 0 WHERE "k_table" = ?;
--   1: comments

-- count unusable keys
SELECT count(*) FROM (SELECT "OrderId" FROM "comments" GROUP BY "OrderId" HAVING count(*) > 1 OR "OrderId" IS NULL) t;

-- lock the table
UPDATE "kaptain_tables" SET "k_last_change" = "k_last_change" + 1 WHERE "k_table" = ?;
--   1: comments

-- read the control row
SELECT "k_last_change", "k_reloaded_through", "k_made_by_us" FROM "kaptain_tables" WHERE "k_table" = ?;
--   1: comments

-- adopt rows of other programs
UPDATE "comments" SET "k_id" = LEFT(SHA2('9 ' || TO_VARCHAR("OrderId"), 256), 32), "k_user" = ?, "k_version" = 1, "k_change" = 9, "k_created_at" = ?, "k_updated_at" = ? WHERE "k_id" IS NULL AND "OrderId" IS NOT NULL;
--   1: 
--   2: 2026-01-31T10:00:00.000Z
--   3: 2026-01-31T10:00:00.000Z

-- find by keys
SELECT s.c0, t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", TO_CHAR(t."Due", 'YYYY-MM-DD'), TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), t."Tags" FROM (SELECT CAST(f.value[0] AS VARCHAR) AS c0 FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) f) s INNER JOIN "comments" t ON t."OrderId" = s.c0;
--   1: [["A-1"]]

-- find how long rows are by keys
SELECT s.c0, t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM (SELECT CAST(f.value[0] AS VARCHAR) AS c0 FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) f) s INNER JOIN "comments" t ON t."OrderId" = s.c0 WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL;
--   1: [["A-1"]]

-- find by ids
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", TO_CHAR(t."Due", 'YYYY-MM-DD'), TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), t."Tags" FROM (SELECT CAST(f.value[0] AS VARCHAR) AS c0 FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) f) s INNER JOIN "comments" t ON t."k_id" = s.c0;
--   1: [["0123456789abcdef01234567"]]

-- insert rows
INSERT INTO "comments" ("OrderId", "k_id", "k_user", "k_version", "k_change", "k_created_at", "k_updated_at", "k_deleted_at", "k_deleted_by", "Comment", "Amount", "Done", "Due", "Seen", "Tags") SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8, s.c9, s.c10, s.c11, s.c12, s.c13, s.c14 FROM (SELECT CAST(f.value[0] AS VARCHAR) AS c0, CAST(f.value[1] AS VARCHAR) AS c1, CAST(f.value[2] AS VARCHAR) AS c2, CAST(f.value[3] AS NUMBER(19, 0)) AS c3, CAST(f.value[4] AS NUMBER(19, 0)) AS c4, CAST(f.value[5] AS VARCHAR) AS c5, CAST(f.value[6] AS VARCHAR) AS c6, CAST(f.value[7] AS VARCHAR) AS c7, CAST(f.value[8] AS VARCHAR) AS c8, CAST(f.value[9] AS VARCHAR) AS c9, CAST(f.value[10] AS FLOAT) AS c10, CAST(CAST(f.value[11] AS INTEGER) AS BOOLEAN) AS c11, CAST(CAST(f.value[12] AS VARCHAR) AS DATE) AS c12, CAST(CAST(f.value[13] AS VARCHAR) AS TIMESTAMP_NTZ(3)) AS c13, CAST(f.value[14] AS VARCHAR) AS c14 FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) f) s;
--   1: [["A-1","0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- update rows
MERGE INTO "comments" t USING (SELECT CAST(f.value[0] AS VARCHAR) AS c0, CAST(f.value[1] AS VARCHAR) AS c1, CAST(f.value[2] AS NUMBER(19, 0)) AS c2, CAST(f.value[3] AS NUMBER(19, 0)) AS c3, CAST(f.value[4] AS VARCHAR) AS c4, CAST(f.value[5] AS VARCHAR) AS c5, CAST(f.value[6] AS VARCHAR) AS c6, CAST(f.value[7] AS VARCHAR) AS c7, CAST(f.value[8] AS VARCHAR) AS c8, CAST(f.value[9] AS FLOAT) AS c9, CAST(CAST(f.value[10] AS INTEGER) AS BOOLEAN) AS c10, CAST(CAST(f.value[11] AS VARCHAR) AS DATE) AS c11, CAST(CAST(f.value[12] AS VARCHAR) AS TIMESTAMP_NTZ(3)) AS c12, CAST(f.value[13] AS VARCHAR) AS c13 FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) f) s ON t."k_id" = s.c0 WHEN MATCHED THEN UPDATE SET t."k_user" = s.c1, t."k_version" = s.c2, t."k_change" = s.c3, t."k_created_at" = s.c4, t."k_updated_at" = s.c5, t."k_deleted_at" = s.c6, t."k_deleted_by" = s.c7, t."Comment" = s.c8, t."Amount" = s.c9, t."Done" = s.c10, t."Due" = s.c11, t."Seen" = s.c12, t."Tags" = s.c13;
--   1: [["0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- delete rows
MERGE INTO "comments" t USING (SELECT CAST(f.value[0] AS VARCHAR) AS c0, CAST(f.value[1] AS NUMBER(19, 0)) AS c1, CAST(f.value[2] AS VARCHAR) AS c2, CAST(f.value[3] AS VARCHAR) AS c3 FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) f) s ON t."k_id" = s.c0 WHEN MATCHED THEN UPDATE SET t."k_change" = s.c1, t."k_deleted_at" = s.c2, t."k_deleted_by" = s.c3;
--   1: [["0123456789abcdef01234567",9,"2026-01-31T10:00:00.000Z","Ann"]]

-- add to the history
INSERT INTO "kaptain_history" ("k_table", "k_id", "k_version", "k_updated_at", "k_deleted_at", "k_deleted_by", "k_restored_by", "k_user", "k_data") SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8 FROM (SELECT CAST(f.value[0] AS VARCHAR) AS c0, CAST(f.value[1] AS VARCHAR) AS c1, CAST(f.value[2] AS NUMBER(19, 0)) AS c2, CAST(f.value[3] AS VARCHAR) AS c3, CAST(f.value[4] AS VARCHAR) AS c4, CAST(f.value[5] AS VARCHAR) AS c5, CAST(f.value[6] AS VARCHAR) AS c6, CAST(f.value[7] AS VARCHAR) AS c7, CAST(f.value[8] AS VARCHAR) AS c8 FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) f) s;
--   1: [["comments","0123456789abcdef01234567",1,"2026-01-31T10:00:00.000Z",null,null,null,"Ann","{\"text\":\"good\"}"]]

-- find how long a row is
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM (SELECT CAST(f.value[0] AS VARCHAR) AS c0 FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) f) s INNER JOIN "comments" t ON t."k_id" = s.c0;
--   1: [["0123456789abcdef01234567"]]

-- read a page
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(TO_VARCHAR(t."OrderId")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."k_user")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Comment")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Amount")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(CASE WHEN t."Done" THEN 'true' ELSE 'false' END)) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(TO_CHAR(t."Due", 'YYYY-MM-DD'))) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'))) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Tags")) LIKE ? ESCAPE '!') ORDER BY t."OrderId" ASC, t."k_id" ASC LIMIT 10 OFFSET 20;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- read a page that is filtered and sorted by fields
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(TO_VARCHAR(t."OrderId")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."k_user")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Comment")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Amount")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(CASE WHEN t."Done" THEN 'true' ELSE 'false' END)) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(TO_CHAR(t."Due", 'YYYY-MM-DD'))) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'))) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Tags")) LIKE ? ESCAPE '!') AND (t."Comment" IS NOT NULL AND LOWER(TO_VARCHAR(t."Comment")) LIKE ? ESCAPE '!') AND t."Amount" >= CAST(? AS FLOAT) AND t."Amount" <= CAST(? AS FLOAT) AND LEFT(TO_VARCHAR(TO_CHAR(t."Due", 'YYYY-MM-DD')), 10) >= ? AND LEFT(TO_VARCHAR(TO_CHAR(t."Due", 'YYYY-MM-DD')), 10) <= ? AND LEFT(TO_VARCHAR(t."Comment"), 10) >= ? AND LEFT(TO_VARCHAR(t."Comment"), 10) <= ? AND REPLACE(LEFT(TO_VARCHAR(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3')), 19), ' ', 'T') >= ? AND REPLACE(LEFT(TO_VARCHAR(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3')), 19), ' ', 'T') <= ? AND (t."Done" IS NOT NULL AND LOWER(TO_VARCHAR(CASE WHEN t."Done" THEN 'true' ELSE 'false' END)) LIKE ? ESCAPE '!') AND (t."Comment" IS NULL OR COALESCE(OCTET_LENGTH(t."Comment"), 0) = 0) AND NOT (t."Tags" IS NULL OR COALESCE(OCTET_LENGTH(t."Tags"), 0) = 0 OR LOWER(TO_VARCHAR(t."Tags")) LIKE ? ESCAPE '!') ORDER BY CASE WHEN t."Comment" IS NULL THEN 1 ELSE 0 END, t."Comment" ASC, t."k_id" LIMIT 10 OFFSET 20;
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
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(OCTET_LENGTH(t."Comment"), 0) + COALESCE(OCTET_LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(TO_VARCHAR(t."OrderId")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."k_user")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Comment")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Amount")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(CASE WHEN t."Done" THEN 'true' ELSE 'false' END)) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(TO_CHAR(t."Due", 'YYYY-MM-DD'))) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'))) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Tags")) LIKE ? ESCAPE '!') ORDER BY CASE WHEN t."Amount" IS NULL THEN 1 ELSE 0 END, t."Amount" DESC, t."k_id" LIMIT 10 OFFSET 20;
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
SELECT count(*) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NOT NULL AND (LOWER(TO_VARCHAR(t."OrderId")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."k_user")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Comment")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Amount")) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(CASE WHEN t."Done" THEN 'true' ELSE 'false' END)) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(TO_CHAR(t."Due", 'YYYY-MM-DD'))) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'))) LIKE ? ESCAPE '!' OR LOWER(TO_VARCHAR(t."Tags")) LIKE ? ESCAPE '!');
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- stream since a watermark
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", TO_CHAR(t."Due", 'YYYY-MM-DD'), TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), t."Tags" FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND t."k_change" > 3 ORDER BY t."k_change", t."k_id";

-- stream since a watermark with deletions
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", TO_CHAR(t."Due", 'YYYY-MM-DD'), TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), t."Tags" FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_change" > 3 ORDER BY t."k_change", t."k_id";

-- count deleted since a watermark
SELECT count(*) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NOT NULL AND t."k_change" > 3;

-- read how long the history is
SELECT "k_version", "k_updated_at", "k_deleted_at", "k_deleted_by", "k_restored_by", "k_user", COALESCE(OCTET_LENGTH("k_data"), 0) FROM "kaptain_history" WHERE "k_table" = ? AND "k_id" = ? AND "k_version" < 7 ORDER BY "k_version" DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- read the history
SELECT "k_version", "k_data" FROM "kaptain_history" WHERE "k_table" = ? AND "k_id" = ? AND "k_version" >= 3 AND "k_version" < 7 AND COALESCE(OCTET_LENGTH("k_data"), 0) <= 1048576 ORDER BY "k_version" DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- count changes per day
SELECT d, count(*) FROM (SELECT LEFT("k_updated_at", 10) AS d FROM "comments" WHERE "k_updated_at" >= ? UNION ALL SELECT LEFT("k_deleted_at", 10) AS d FROM "comments" WHERE "k_deleted_at" >= ? UNION ALL SELECT LEFT("k_updated_at", 10) AS d FROM "kaptain_history" WHERE "k_table" = ? AND "k_updated_at" >= ? UNION ALL SELECT LEFT("k_deleted_at", 10) AS d FROM "kaptain_history" WHERE "k_table" = ? AND "k_deleted_at" >= ?) t GROUP BY d ORDER BY d;
--   1: 2026-01-01
--   2: 2026-01-01
--   3: comments
--   4: 2026-01-01
--   5: comments
--   6: 2026-01-01

-- mark as reloaded
UPDATE "kaptain_tables" SET "k_reloaded_through" = 9 WHERE "k_table" = ?;
--   1: comments

-- drop a table
DROP TABLE "comments" RESTRICT;
