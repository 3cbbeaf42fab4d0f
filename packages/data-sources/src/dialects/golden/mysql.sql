-- https://dev.mysql.com/doc/refman/8.4/en/json-table-functions.html (JSON_TABLE, ERROR ON ERROR)
-- https://mariadb.com/docs/server/reference/sql-functions/special-functions/json-functions/json_table (JSON_TABLE, since 10.6, also in multi-table UPDATE)
-- https://dev.mysql.com/doc/refman/8.4/en/update.html (multiple-table UPDATE)
-- https://dev.mysql.com/doc/refman/8.4/en/cast-functions.html (CONVERT … USING …, COLLATE outside of it)
-- https://dev.mysql.com/doc/refman/8.4/en/string-functions.html (OCTET_LENGTH)

-- create the control table
CREATE TABLE `kaptain_tables` (`k_table` VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `k_last_change` BIGINT NOT NULL, `k_reloaded_through` BIGINT NOT NULL, `k_made_by_us` BIGINT NOT NULL, PRIMARY KEY (`k_table`)) ENGINE=InnoDB;

-- create the history table
CREATE TABLE `kaptain_history` (`k_table` VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `k_id` VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `k_version` BIGINT NOT NULL, `k_updated_at` VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `k_deleted_at` VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin, `k_deleted_by` VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, `k_restored_by` VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, `k_user` VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, `k_data` LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, PRIMARY KEY (`k_table`, `k_id`, `k_version`)) ENGINE=InnoDB;

-- create a table
CREATE TABLE `comments` (`OrderId` VARCHAR(768) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `Comment` LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci, `Amount` DOUBLE, `Done` TINYINT(1), `Due` DATE, `Seen` DATETIME(3), `Tags` LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci, `k_id` VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin, `k_user` VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, `k_version` BIGINT, `k_change` BIGINT, `k_created_at` VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin, `k_updated_at` VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin, `k_deleted_at` VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin, `k_deleted_by` VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, PRIMARY KEY (`OrderId`)) ENGINE=InnoDB;

-- add a column
ALTER TABLE `comments` ADD COLUMN `Extra` LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

-- create an index
CREATE UNIQUE INDEX `k_1` ON `comments` (`k_id`);

-- record who made a table
INSERT INTO `kaptain_tables` (`k_table`, `k_last_change`, `k_reloaded_through`, `k_made_by_us`) VALUES (?, 0, 0, 1);
--   1: comments

-- correct who made a table
UPDATE `kaptain_tables` SET `k_made_by_us` = 0 WHERE `k_table` = ?;
--   1: comments

-- count unusable keys
SELECT count(*) FROM (SELECT `OrderId` FROM `comments` GROUP BY `OrderId` HAVING count(*) > 1 OR `OrderId` IS NULL) t;

-- lock the table
UPDATE `kaptain_tables` SET `k_last_change` = `k_last_change` + 1 WHERE `k_table` = ?;
--   1: comments

-- read the control row
SELECT `k_last_change`, `k_reloaded_through`, `k_made_by_us` FROM `kaptain_tables` WHERE `k_table` = ?;
--   1: comments

-- adopt rows of other programs
UPDATE `comments` SET `k_id` = LEFT(SHA2(CONCAT('9 ', `OrderId`), 256), 32), `k_user` = ?, `k_version` = 1, `k_change` = 9, `k_created_at` = ?, `k_updated_at` = ? WHERE `k_id` IS NULL AND `OrderId` IS NOT NULL;
--   1: 
--   2: 2026-01-31T10:00:00.000Z
--   3: 2026-01-31T10:00:00.000Z

-- find by keys
SELECT s.c0, t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, t.`Comment`, t.`Amount`, t.`Done`, t.`Due`, t.`Seen`, t.`Tags` FROM JSON_TABLE(?, '$[*]' COLUMNS (c0 VARCHAR(768) CHARACTER SET utf8mb4 PATH '$[0]' ERROR ON ERROR)) AS s INNER JOIN `comments` t ON t.`OrderId` = CONVERT(s.c0 USING utf8mb4) COLLATE utf8mb4_bin;
--   1: [["A-1"]]

-- find how long rows are by keys
SELECT s.c0, t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, 0 + COALESCE(OCTET_LENGTH(t.`Comment`), 0) + COALESCE(OCTET_LENGTH(t.`Tags`), 0) FROM JSON_TABLE(?, '$[*]' COLUMNS (c0 VARCHAR(768) CHARACTER SET utf8mb4 PATH '$[0]' ERROR ON ERROR)) AS s INNER JOIN `comments` t ON t.`OrderId` = CONVERT(s.c0 USING utf8mb4) COLLATE utf8mb4_bin WHERE t.`k_id` IS NOT NULL AND t.`k_deleted_at` IS NULL;
--   1: [["A-1"]]

-- find by ids
SELECT t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, t.`Comment`, t.`Amount`, t.`Done`, t.`Due`, t.`Seen`, t.`Tags` FROM JSON_TABLE(?, '$[*]' COLUMNS (c0 VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[0]' ERROR ON ERROR)) AS s INNER JOIN `comments` t ON t.`k_id` = CONVERT(s.c0 USING ascii) COLLATE ascii_bin;
--   1: [["0123456789abcdef01234567"]]

-- insert rows
INSERT INTO `comments` (`OrderId`, `k_id`, `k_user`, `k_version`, `k_change`, `k_created_at`, `k_updated_at`, `k_deleted_at`, `k_deleted_by`, `Comment`, `Amount`, `Done`, `Due`, `Seen`, `Tags`) SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8, s.c9, s.c10, s.c11, s.c12, s.c13, s.c14 FROM JSON_TABLE(?, '$[*]' COLUMNS (c0 VARCHAR(768) CHARACTER SET utf8mb4 PATH '$[0]' ERROR ON ERROR, c1 VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[1]' ERROR ON ERROR, c2 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]' ERROR ON ERROR, c3 BIGINT PATH '$[3]' ERROR ON ERROR, c4 BIGINT PATH '$[4]' ERROR ON ERROR, c5 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[5]' ERROR ON ERROR, c6 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[6]' ERROR ON ERROR, c7 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[7]' ERROR ON ERROR, c8 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[8]' ERROR ON ERROR, c9 LONGTEXT CHARACTER SET utf8mb4 PATH '$[9]' ERROR ON ERROR, c10 VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[10]' ERROR ON ERROR, c11 VARCHAR(1) CHARACTER SET utf8mb4 PATH '$[11]' ERROR ON ERROR, c12 VARCHAR(10) CHARACTER SET utf8mb4 PATH '$[12]' ERROR ON ERROR, c13 VARCHAR(23) CHARACTER SET utf8mb4 PATH '$[13]' ERROR ON ERROR, c14 LONGTEXT CHARACTER SET utf8mb4 PATH '$[14]' ERROR ON ERROR)) AS s;
--   1: [["A-1","0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- update rows
UPDATE `comments` AS t INNER JOIN JSON_TABLE(?, '$[*]' COLUMNS (c0 VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[0]' ERROR ON ERROR, c1 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[1]' ERROR ON ERROR, c2 BIGINT PATH '$[2]' ERROR ON ERROR, c3 BIGINT PATH '$[3]' ERROR ON ERROR, c4 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[4]' ERROR ON ERROR, c5 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[5]' ERROR ON ERROR, c6 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[6]' ERROR ON ERROR, c7 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[7]' ERROR ON ERROR, c8 LONGTEXT CHARACTER SET utf8mb4 PATH '$[8]' ERROR ON ERROR, c9 VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[9]' ERROR ON ERROR, c10 VARCHAR(1) CHARACTER SET utf8mb4 PATH '$[10]' ERROR ON ERROR, c11 VARCHAR(10) CHARACTER SET utf8mb4 PATH '$[11]' ERROR ON ERROR, c12 VARCHAR(23) CHARACTER SET utf8mb4 PATH '$[12]' ERROR ON ERROR, c13 LONGTEXT CHARACTER SET utf8mb4 PATH '$[13]' ERROR ON ERROR)) AS s ON t.`k_id` = CONVERT(s.c0 USING ascii) COLLATE ascii_bin SET t.`k_user` = s.c1, t.`k_version` = s.c2, t.`k_change` = s.c3, t.`k_created_at` = s.c4, t.`k_updated_at` = s.c5, t.`k_deleted_at` = s.c6, t.`k_deleted_by` = s.c7, t.`Comment` = s.c8, t.`Amount` = s.c9, t.`Done` = s.c10, t.`Due` = s.c11, t.`Seen` = s.c12, t.`Tags` = s.c13;
--   1: [["0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- delete rows
UPDATE `comments` AS t INNER JOIN JSON_TABLE(?, '$[*]' COLUMNS (c0 VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[0]' ERROR ON ERROR, c1 BIGINT PATH '$[1]' ERROR ON ERROR, c2 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[2]' ERROR ON ERROR, c3 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[3]' ERROR ON ERROR)) AS s ON t.`k_id` = CONVERT(s.c0 USING ascii) COLLATE ascii_bin SET t.`k_change` = s.c1, t.`k_deleted_at` = s.c2, t.`k_deleted_by` = s.c3;
--   1: [["0123456789abcdef01234567",9,"2026-01-31T10:00:00.000Z","Ann"]]

-- add to the history
INSERT INTO `kaptain_history` (`k_table`, `k_id`, `k_version`, `k_updated_at`, `k_deleted_at`, `k_deleted_by`, `k_restored_by`, `k_user`, `k_data`) SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8 FROM JSON_TABLE(?, '$[*]' COLUMNS (c0 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[0]' ERROR ON ERROR, c1 VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[1]' ERROR ON ERROR, c2 BIGINT PATH '$[2]' ERROR ON ERROR, c3 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[3]' ERROR ON ERROR, c4 VARCHAR(24) CHARACTER SET utf8mb4 PATH '$[4]' ERROR ON ERROR, c5 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[5]' ERROR ON ERROR, c6 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[6]' ERROR ON ERROR, c7 VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[7]' ERROR ON ERROR, c8 LONGTEXT CHARACTER SET utf8mb4 PATH '$[8]' ERROR ON ERROR)) AS s;
--   1: [["comments","0123456789abcdef01234567",1,"2026-01-31T10:00:00.000Z",null,null,null,"Ann","{\"text\":\"good\"}"]]

-- find how long a row is
SELECT t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, 0 + COALESCE(OCTET_LENGTH(t.`Comment`), 0) + COALESCE(OCTET_LENGTH(t.`Tags`), 0) FROM JSON_TABLE(?, '$[*]' COLUMNS (c0 VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[0]' ERROR ON ERROR)) AS s INNER JOIN `comments` t ON t.`k_id` = CONVERT(s.c0 USING ascii) COLLATE ascii_bin;
--   1: [["0123456789abcdef01234567"]]

-- read a page
SELECT t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, 0 + COALESCE(OCTET_LENGTH(t.`Comment`), 0) + COALESCE(OCTET_LENGTH(t.`Tags`), 0) FROM `comments` t WHERE t.`k_id` IS NOT NULL AND t.`k_deleted_at` IS NULL AND (LOWER(CONVERT(t.`OrderId` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`k_user` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Comment` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Amount` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(CASE WHEN t.`Done` = 1 THEN 'true' ELSE 'false' END USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Due` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Seen` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Tags` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!') ORDER BY t.`OrderId` ASC, t.`k_id` ASC LIMIT 10 OFFSET 20;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- read a page that is filtered and sorted by fields
SELECT t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, 0 + COALESCE(OCTET_LENGTH(t.`Comment`), 0) + COALESCE(OCTET_LENGTH(t.`Tags`), 0) FROM `comments` t WHERE t.`k_id` IS NOT NULL AND t.`k_deleted_at` IS NULL AND (LOWER(CONVERT(t.`OrderId` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`k_user` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Comment` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Amount` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(CASE WHEN t.`Done` = 1 THEN 'true' ELSE 'false' END USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Due` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Seen` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Tags` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!') AND (t.`Comment` IS NOT NULL AND LOWER(CONVERT(t.`Comment` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!') AND t.`Amount` >= CAST(? AS DOUBLE) AND t.`Amount` <= CAST(? AS DOUBLE) AND LEFT(CONVERT(t.`Due` USING utf8mb4) COLLATE utf8mb4_bin, 10) >= ? AND LEFT(CONVERT(t.`Due` USING utf8mb4) COLLATE utf8mb4_bin, 10) <= ? AND LEFT(CONVERT(t.`Comment` USING utf8mb4) COLLATE utf8mb4_bin, 10) >= ? AND LEFT(CONVERT(t.`Comment` USING utf8mb4) COLLATE utf8mb4_bin, 10) <= ? AND REPLACE(LEFT(CONVERT(t.`Seen` USING utf8mb4) COLLATE utf8mb4_bin, 19), ' ', 'T') >= ? AND REPLACE(LEFT(CONVERT(t.`Seen` USING utf8mb4) COLLATE utf8mb4_bin, 19), ' ', 'T') <= ? AND (t.`Done` IS NOT NULL AND LOWER(CONVERT(CASE WHEN t.`Done` = 1 THEN 'true' ELSE 'false' END USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!') AND (t.`Comment` IS NULL OR COALESCE(OCTET_LENGTH(t.`Comment`), 0) = 0) AND NOT (t.`Tags` IS NULL OR COALESCE(OCTET_LENGTH(t.`Tags`), 0) = 0 OR LOWER(CONVERT(t.`Tags` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!') ORDER BY CASE WHEN t.`Comment` IS NULL THEN 1 ELSE 0 END, t.`Comment` ASC, t.`k_id` LIMIT 10 OFFSET 20;
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
SELECT t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, 0 + COALESCE(OCTET_LENGTH(t.`Comment`), 0) + COALESCE(OCTET_LENGTH(t.`Tags`), 0) FROM `comments` t WHERE t.`k_id` IS NOT NULL AND t.`k_deleted_at` IS NULL AND (LOWER(CONVERT(t.`OrderId` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`k_user` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Comment` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Amount` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(CASE WHEN t.`Done` = 1 THEN 'true' ELSE 'false' END USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Due` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Seen` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Tags` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!') ORDER BY CASE WHEN t.`Amount` IS NULL THEN 1 ELSE 0 END, t.`Amount` DESC, t.`k_id` LIMIT 10 OFFSET 20;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- count reloaded
SELECT count(*) FROM `comments` t WHERE t.`k_id` IS NOT NULL AND t.`k_deleted_at` IS NULL AND t.`k_change` <= 5;

-- count deleted
SELECT count(*) FROM `comments` t WHERE t.`k_id` IS NOT NULL AND t.`k_deleted_at` IS NOT NULL AND (LOWER(CONVERT(t.`OrderId` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`k_user` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Comment` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Amount` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(CASE WHEN t.`Done` = 1 THEN 'true' ELSE 'false' END USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Due` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Seen` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!' OR LOWER(CONVERT(t.`Tags` USING utf8mb4) COLLATE utf8mb4_bin) LIKE ? ESCAPE '!');
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- stream since a watermark
SELECT t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, t.`Comment`, t.`Amount`, t.`Done`, t.`Due`, t.`Seen`, t.`Tags` FROM `comments` t WHERE t.`k_id` IS NOT NULL AND t.`k_deleted_at` IS NULL AND t.`k_change` > 3 ORDER BY t.`k_change`, t.`k_id`;

-- stream since a watermark with deletions
SELECT t.`OrderId`, t.`k_id`, t.`k_user`, t.`k_version`, t.`k_change`, t.`k_created_at`, t.`k_updated_at`, t.`k_deleted_at`, t.`k_deleted_by`, t.`Comment`, t.`Amount`, t.`Done`, t.`Due`, t.`Seen`, t.`Tags` FROM `comments` t WHERE t.`k_id` IS NOT NULL AND t.`k_change` > 3 ORDER BY t.`k_change`, t.`k_id`;

-- count deleted since a watermark
SELECT count(*) FROM `comments` t WHERE t.`k_id` IS NOT NULL AND t.`k_deleted_at` IS NOT NULL AND t.`k_change` > 3;

-- read how long the history is
SELECT `k_version`, `k_updated_at`, `k_deleted_at`, `k_deleted_by`, `k_restored_by`, `k_user`, COALESCE(OCTET_LENGTH(`k_data`), 0) FROM `kaptain_history` WHERE `k_table` = ? AND `k_id` = ? AND `k_version` < 7 ORDER BY `k_version` DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- read the history
SELECT `k_version`, `k_data` FROM `kaptain_history` WHERE `k_table` = ? AND `k_id` = ? AND `k_version` >= 3 AND `k_version` < 7 AND COALESCE(OCTET_LENGTH(`k_data`), 0) <= 1048576 ORDER BY `k_version` DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- count changes per day
SELECT d, count(*) FROM (SELECT LEFT(`k_updated_at`, 10) AS d FROM `comments` WHERE `k_updated_at` >= ? UNION ALL SELECT LEFT(`k_deleted_at`, 10) AS d FROM `comments` WHERE `k_deleted_at` >= ? UNION ALL SELECT LEFT(`k_updated_at`, 10) AS d FROM `kaptain_history` WHERE `k_table` = ? AND `k_updated_at` >= ? UNION ALL SELECT LEFT(`k_deleted_at`, 10) AS d FROM `kaptain_history` WHERE `k_table` = ? AND `k_deleted_at` >= ?) t GROUP BY d ORDER BY d;
--   1: 2026-01-01
--   2: 2026-01-01
--   3: comments
--   4: 2026-01-01
--   5: comments
--   6: 2026-01-01

-- mark as reloaded
UPDATE `kaptain_tables` SET `k_reloaded_through` = 9 WHERE `k_table` = ?;
--   1: comments

-- drop a table
DROP TABLE `comments`;
