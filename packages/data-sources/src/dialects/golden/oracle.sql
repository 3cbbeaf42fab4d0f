-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_TABLE.html (ERROR ON ERROR, column types)
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/MERGE.html (WHEN MATCHED THEN UPDATE, never of a column in ON)
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html (OFFSET … FETCH NEXT)
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/STANDARD_HASH.html (SHA256)
-- https://docs.oracle.com/en/database/oracle/oracle-database/18/sqlrf/JSON_VALUE.html (a CLOB as result, since 18c)
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LENGTH.html (characters, also of a CLOB)

-- create the control table
CREATE TABLE "kaptain_tables" ("k_table" VARCHAR2(255 CHAR) NOT NULL, "k_last_change" NUMBER(19) NOT NULL, "k_reloaded_through" NUMBER(19) NOT NULL, "k_made_by_us" NUMBER(19) NOT NULL, PRIMARY KEY ("k_table"));

-- create the history table
CREATE TABLE "kaptain_history" ("k_table" VARCHAR2(255 CHAR) NOT NULL, "k_id" VARCHAR2(32) NOT NULL, "k_version" NUMBER(19) NOT NULL, "k_updated_at" VARCHAR2(24) NOT NULL, "k_deleted_at" VARCHAR2(24), "k_deleted_by" VARCHAR2(255 CHAR), "k_restored_by" VARCHAR2(255 CHAR), "k_user" VARCHAR2(255 CHAR), "k_data" CLOB, PRIMARY KEY ("k_table", "k_id", "k_version"));

-- create a table
CREATE TABLE "comments" ("OrderId" VARCHAR2(1000 CHAR) NOT NULL, "Comment" VARCHAR2(4000), "Amount" NUMBER, "Done" NUMBER(1), "Due" DATE, "Seen" TIMESTAMP(3), "Tags" VARCHAR2(4000), "k_id" VARCHAR2(32), "k_user" VARCHAR2(255 CHAR), "k_version" NUMBER(19), "k_change" NUMBER(19), "k_created_at" VARCHAR2(24), "k_updated_at" VARCHAR2(24), "k_deleted_at" VARCHAR2(24), "k_deleted_by" VARCHAR2(255 CHAR), PRIMARY KEY ("OrderId"));

-- add a column
ALTER TABLE "comments" ADD ("Extra" VARCHAR2(4000));

-- create an index
CREATE UNIQUE INDEX "k_1" ON "comments" ("k_id");

-- record who made a table
INSERT INTO "kaptain_tables" ("k_table", "k_last_change", "k_reloaded_through", "k_made_by_us") VALUES (:1, 0, 0, 1);
--   1: comments

-- correct who made a table
UPDATE "kaptain_tables" SET "k_made_by_us" = 0 WHERE "k_table" = :1;
--   1: comments

-- count unusable keys
SELECT count(*) FROM (SELECT "OrderId" FROM "comments" GROUP BY "OrderId" HAVING count(*) > 1 OR "OrderId" IS NULL) t;

-- lock the table
UPDATE "kaptain_tables" SET "k_last_change" = "k_last_change" + 1 WHERE "k_table" = :1;
--   1: comments

-- read the control row
SELECT "k_last_change", "k_reloaded_through", "k_made_by_us" FROM "kaptain_tables" WHERE "k_table" = :1;
--   1: comments

-- adopt rows of other programs
UPDATE "comments" SET "k_id" = SUBSTR(LOWER(RAWTOHEX(STANDARD_HASH('9 ' || TO_CHAR("OrderId"), 'SHA256'))), 1, 32), "k_user" = :1, "k_version" = 1, "k_change" = 9, "k_created_at" = :2, "k_updated_at" = :3 WHERE "k_id" IS NULL AND "OrderId" IS NOT NULL;
--   1: 
--   2: 2026-01-31T10:00:00.000Z
--   3: 2026-01-31T10:00:00.000Z

-- find by keys
SELECT s.c0, t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", TO_CHAR(t."Due", 'YYYY-MM-DD'), TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), t."Tags" FROM JSON_TABLE(:1, '$[*]' ERROR ON ERROR COLUMNS (c0 VARCHAR2(4000) PATH '$[0]')) s INNER JOIN "comments" t ON t."OrderId" = s.c0;
--   1: [["A-1"]]

-- find how long rows are by keys
SELECT s.c0, t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(LENGTH(t."Comment"), 0) + COALESCE(LENGTH(t."Tags"), 0) FROM JSON_TABLE(:1, '$[*]' ERROR ON ERROR COLUMNS (c0 VARCHAR2(4000) PATH '$[0]')) s INNER JOIN "comments" t ON t."OrderId" = s.c0 WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL;
--   1: [["A-1"]]

-- find by ids
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", t."Comment", t."Amount", t."Done", TO_CHAR(t."Due", 'YYYY-MM-DD'), TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), t."Tags" FROM JSON_TABLE(:1, '$[*]' ERROR ON ERROR COLUMNS (c0 VARCHAR2(4000) PATH '$[0]')) s INNER JOIN "comments" t ON t."k_id" = s.c0;
--   1: [["0123456789abcdef01234567"]]

-- insert rows
INSERT INTO "comments" ("OrderId", "k_id", "k_user", "k_version", "k_change", "k_created_at", "k_updated_at", "k_deleted_at", "k_deleted_by", "Comment", "Amount", "Done", "Due", "Seen", "Tags") SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8, s.c9, s.c10, s.c11, s.c12, s.c13, s.c14 FROM JSON_TABLE(:1, '$[*]' ERROR ON ERROR COLUMNS (c0 VARCHAR2(4000) PATH '$[0]', c1 VARCHAR2(4000) PATH '$[1]', c2 VARCHAR2(4000) PATH '$[2]', c3 NUMBER PATH '$[3]', c4 NUMBER PATH '$[4]', c5 VARCHAR2(4000) PATH '$[5]', c6 VARCHAR2(4000) PATH '$[6]', c7 VARCHAR2(4000) PATH '$[7]', c8 VARCHAR2(4000) PATH '$[8]', c9 VARCHAR2(4000) PATH '$[9]', c10 NUMBER PATH '$[10]', c11 NUMBER PATH '$[11]', c12 DATE PATH '$[12]', c13 TIMESTAMP PATH '$[13]', c14 VARCHAR2(4000) PATH '$[14]')) s;
--   1: [["A-1","0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- update rows
MERGE INTO "comments" t USING (SELECT * FROM JSON_TABLE(:1, '$[*]' ERROR ON ERROR COLUMNS (c0 VARCHAR2(4000) PATH '$[0]', c1 VARCHAR2(4000) PATH '$[1]', c2 NUMBER PATH '$[2]', c3 NUMBER PATH '$[3]', c4 VARCHAR2(4000) PATH '$[4]', c5 VARCHAR2(4000) PATH '$[5]', c6 VARCHAR2(4000) PATH '$[6]', c7 VARCHAR2(4000) PATH '$[7]', c8 VARCHAR2(4000) PATH '$[8]', c9 NUMBER PATH '$[9]', c10 NUMBER PATH '$[10]', c11 DATE PATH '$[11]', c12 TIMESTAMP PATH '$[12]', c13 VARCHAR2(4000) PATH '$[13]')) s) s ON (t."k_id" = s.c0) WHEN MATCHED THEN UPDATE SET t."k_user" = s.c1, t."k_version" = s.c2, t."k_change" = s.c3, t."k_created_at" = s.c4, t."k_updated_at" = s.c5, t."k_deleted_at" = s.c6, t."k_deleted_by" = s.c7, t."Comment" = s.c8, t."Amount" = s.c9, t."Done" = s.c10, t."Due" = s.c11, t."Seen" = s.c12, t."Tags" = s.c13;
--   1: [["0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- delete rows
MERGE INTO "comments" t USING (SELECT * FROM JSON_TABLE(:1, '$[*]' ERROR ON ERROR COLUMNS (c0 VARCHAR2(4000) PATH '$[0]', c1 NUMBER PATH '$[1]', c2 VARCHAR2(4000) PATH '$[2]', c3 VARCHAR2(4000) PATH '$[3]')) s) s ON (t."k_id" = s.c0) WHEN MATCHED THEN UPDATE SET t."k_change" = s.c1, t."k_deleted_at" = s.c2, t."k_deleted_by" = s.c3;
--   1: [["0123456789abcdef01234567",9,"2026-01-31T10:00:00.000Z","Ann"]]

-- add to the history
INSERT INTO "kaptain_history" ("k_table", "k_id", "k_version", "k_updated_at", "k_deleted_at", "k_deleted_by", "k_restored_by", "k_user", "k_data") SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8 FROM JSON_TABLE(:1, '$[*]' ERROR ON ERROR COLUMNS (c0 VARCHAR2(4000) PATH '$[0]', c1 VARCHAR2(4000) PATH '$[1]', c2 NUMBER PATH '$[2]', c3 VARCHAR2(4000) PATH '$[3]', c4 VARCHAR2(4000) PATH '$[4]', c5 VARCHAR2(4000) PATH '$[5]', c6 VARCHAR2(4000) PATH '$[6]', c7 VARCHAR2(4000) PATH '$[7]', c8 CLOB PATH '$[8]')) s;
--   1: [["comments","0123456789abcdef01234567",1,"2026-01-31T10:00:00.000Z",null,null,null,"Ann","{\"text\":\"good\"}"]]

-- find how long a row is
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(LENGTH(t."Comment"), 0) + COALESCE(LENGTH(t."Tags"), 0) FROM JSON_TABLE(:1, '$[*]' ERROR ON ERROR COLUMNS (c0 VARCHAR2(4000) PATH '$[0]')) s INNER JOIN "comments" t ON t."k_id" = s.c0;
--   1: [["0123456789abcdef01234567"]]

-- read a page
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(LENGTH(t."Comment"), 0) + COALESCE(LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(t."OrderId") LIKE :1 ESCAPE '!' OR LOWER(t."k_user") LIKE :2 ESCAPE '!' OR LOWER(t."Comment") LIKE :3 ESCAPE '!' OR LOWER(t."Amount") LIKE :4 ESCAPE '!' OR LOWER(CASE WHEN t."Done" = 1 THEN 'true' ELSE 'false' END) LIKE :5 ESCAPE '!' OR LOWER(TO_CHAR(t."Due", 'YYYY-MM-DD')) LIKE :6 ESCAPE '!' OR LOWER(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3')) LIKE :7 ESCAPE '!' OR LOWER(t."Tags") LIKE :8 ESCAPE '!') ORDER BY t."OrderId" ASC, t."k_id" ASC OFFSET 20 ROWS FETCH NEXT 10 ROWS ONLY;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- read a page that is filtered and sorted by fields
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(LENGTH(t."Comment"), 0) + COALESCE(LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(t."OrderId") LIKE :1 ESCAPE '!' OR LOWER(t."k_user") LIKE :2 ESCAPE '!' OR LOWER(t."Comment") LIKE :3 ESCAPE '!' OR LOWER(t."Amount") LIKE :4 ESCAPE '!' OR LOWER(CASE WHEN t."Done" = 1 THEN 'true' ELSE 'false' END) LIKE :5 ESCAPE '!' OR LOWER(TO_CHAR(t."Due", 'YYYY-MM-DD')) LIKE :6 ESCAPE '!' OR LOWER(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3')) LIKE :7 ESCAPE '!' OR LOWER(t."Tags") LIKE :8 ESCAPE '!') AND (t."Comment" IS NOT NULL AND LOWER(t."Comment") LIKE :9 ESCAPE '!') AND t."Amount" >= CAST(:10 AS NUMBER) AND t."Amount" <= CAST(:11 AS NUMBER) AND TO_CHAR(SUBSTR(TO_CHAR(t."Due", 'YYYY-MM-DD'), 1, 10)) >= :12 AND TO_CHAR(SUBSTR(TO_CHAR(t."Due", 'YYYY-MM-DD'), 1, 10)) <= :13 AND TO_CHAR(SUBSTR(t."Comment", 1, 10)) >= :14 AND TO_CHAR(SUBSTR(t."Comment", 1, 10)) <= :15 AND REPLACE(TO_CHAR(SUBSTR(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), 1, 19)), ' ', 'T') >= :16 AND REPLACE(TO_CHAR(SUBSTR(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), 1, 19)), ' ', 'T') <= :17 AND (t."Done" IS NOT NULL AND LOWER(CASE WHEN t."Done" = 1 THEN 'true' ELSE 'false' END) LIKE :18 ESCAPE '!') AND (t."Comment" IS NULL OR COALESCE(LENGTH(t."Comment"), 0) = 0) AND NOT (t."Tags" IS NULL OR COALESCE(LENGTH(t."Tags"), 0) = 0 OR LOWER(t."Tags") LIKE :19 ESCAPE '!') ORDER BY CASE WHEN t."Comment" IS NULL THEN 1 ELSE 0 END, TO_CHAR(SUBSTR(t."Comment", 1, 1000)) ASC, t."k_id" OFFSET 20 ROWS FETCH NEXT 10 ROWS ONLY;
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
SELECT t."OrderId", t."k_id", t."k_user", t."k_version", t."k_change", t."k_created_at", t."k_updated_at", t."k_deleted_at", t."k_deleted_by", 0 + COALESCE(LENGTH(t."Comment"), 0) + COALESCE(LENGTH(t."Tags"), 0) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NULL AND (LOWER(t."OrderId") LIKE :1 ESCAPE '!' OR LOWER(t."k_user") LIKE :2 ESCAPE '!' OR LOWER(t."Comment") LIKE :3 ESCAPE '!' OR LOWER(t."Amount") LIKE :4 ESCAPE '!' OR LOWER(CASE WHEN t."Done" = 1 THEN 'true' ELSE 'false' END) LIKE :5 ESCAPE '!' OR LOWER(TO_CHAR(t."Due", 'YYYY-MM-DD')) LIKE :6 ESCAPE '!' OR LOWER(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3')) LIKE :7 ESCAPE '!' OR LOWER(t."Tags") LIKE :8 ESCAPE '!') ORDER BY CASE WHEN t."Amount" IS NULL THEN 1 ELSE 0 END, t."Amount" DESC, t."k_id" OFFSET 20 ROWS FETCH NEXT 10 ROWS ONLY;
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
SELECT count(*) FROM "comments" t WHERE t."k_id" IS NOT NULL AND t."k_deleted_at" IS NOT NULL AND (LOWER(t."OrderId") LIKE :1 ESCAPE '!' OR LOWER(t."k_user") LIKE :2 ESCAPE '!' OR LOWER(t."Comment") LIKE :3 ESCAPE '!' OR LOWER(t."Amount") LIKE :4 ESCAPE '!' OR LOWER(CASE WHEN t."Done" = 1 THEN 'true' ELSE 'false' END) LIKE :5 ESCAPE '!' OR LOWER(TO_CHAR(t."Due", 'YYYY-MM-DD')) LIKE :6 ESCAPE '!' OR LOWER(TO_CHAR(t."Seen", 'YYYY-MM-DD"T"HH24:MI:SS.FF3')) LIKE :7 ESCAPE '!' OR LOWER(t."Tags") LIKE :8 ESCAPE '!');
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
SELECT "k_version", "k_updated_at", "k_deleted_at", "k_deleted_by", "k_restored_by", "k_user", COALESCE(LENGTH("k_data"), 0) FROM "kaptain_history" WHERE "k_table" = :1 AND "k_id" = :2 AND "k_version" < 7 ORDER BY "k_version" DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- read the history
SELECT "k_version", "k_data" FROM "kaptain_history" WHERE "k_table" = :1 AND "k_id" = :2 AND "k_version" >= 3 AND "k_version" < 7 AND COALESCE(LENGTH("k_data"), 0) <= 1048576 ORDER BY "k_version" DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- count changes per day
SELECT d, count(*) FROM (SELECT TO_CHAR(SUBSTR("k_updated_at", 1, 10)) AS d FROM "comments" WHERE "k_updated_at" >= :1 UNION ALL SELECT TO_CHAR(SUBSTR("k_deleted_at", 1, 10)) AS d FROM "comments" WHERE "k_deleted_at" >= :2 UNION ALL SELECT TO_CHAR(SUBSTR("k_updated_at", 1, 10)) AS d FROM "kaptain_history" WHERE "k_table" = :3 AND "k_updated_at" >= :4 UNION ALL SELECT TO_CHAR(SUBSTR("k_deleted_at", 1, 10)) AS d FROM "kaptain_history" WHERE "k_table" = :5 AND "k_deleted_at" >= :6) t GROUP BY d ORDER BY d;
--   1: 2026-01-01
--   2: 2026-01-01
--   3: comments
--   4: 2026-01-01
--   5: comments
--   6: 2026-01-01

-- mark as reloaded
UPDATE "kaptain_tables" SET "k_reloaded_through" = 9 WHERE "k_table" = :1;
--   1: comments

-- drop a table
DROP TABLE "comments";
