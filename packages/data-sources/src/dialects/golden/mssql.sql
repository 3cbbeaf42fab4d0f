-- https://learn.microsoft.com/sql/t-sql/functions/openjson-transact-sql (OPENJSON … WITH, since 2016, compatibility level 130)
-- https://learn.microsoft.com/sql/t-sql/queries/update-transact-sql (UPDATE … FROM)
-- https://learn.microsoft.com/sql/t-sql/functions/hashbytes-transact-sql (SHA2_256; MD5 is deprecated)
-- https://learn.microsoft.com/sql/t-sql/queries/select-order-by-clause-transact-sql (OFFSET … FETCH)
-- https://learn.microsoft.com/sql/t-sql/functions/cast-and-convert-transact-sql (styles 2, 23 and 126)
-- https://learn.microsoft.com/sql/sql-server/maximum-capacity-specifications-for-sql-server (900 bytes in a primary key or clustered index, 1,700 in others)
-- https://learn.microsoft.com/sql/t-sql/functions/datalength-transact-sql (DATALENGTH: bytes, also of large values; NULL of NULL)

-- create the control table
CREATE TABLE [kaptain_tables] ([k_table] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL, [k_last_change] BIGINT NOT NULL, [k_reloaded_through] BIGINT NOT NULL, [k_made_by_us] BIGINT NOT NULL, PRIMARY KEY ([k_table]));

-- create the history table
CREATE TABLE [kaptain_history] ([k_table] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL, [k_id] VARCHAR(32) COLLATE Latin1_General_100_BIN2 NOT NULL, [k_version] BIGINT NOT NULL, [k_updated_at] VARCHAR(24) COLLATE Latin1_General_100_BIN2 NOT NULL, [k_deleted_at] VARCHAR(24) COLLATE Latin1_General_100_BIN2, [k_deleted_by] NVARCHAR(255) COLLATE Latin1_General_100_BIN2, [k_restored_by] NVARCHAR(255) COLLATE Latin1_General_100_BIN2, [k_user] NVARCHAR(255) COLLATE Latin1_General_100_BIN2, [k_data] NVARCHAR(MAX), PRIMARY KEY ([k_table], [k_id], [k_version]));

-- create a table
CREATE TABLE [comments] ([OrderId] NVARCHAR(850) COLLATE Latin1_General_100_BIN2 NOT NULL, [Comment] NVARCHAR(MAX), [Amount] FLOAT, [Done] BIT, [Due] DATE, [Seen] DATETIME2(3), [Tags] NVARCHAR(MAX), [k_id] VARCHAR(32) COLLATE Latin1_General_100_BIN2, [k_user] NVARCHAR(255) COLLATE Latin1_General_100_BIN2, [k_version] BIGINT, [k_change] BIGINT, [k_created_at] VARCHAR(24) COLLATE Latin1_General_100_BIN2, [k_updated_at] VARCHAR(24) COLLATE Latin1_General_100_BIN2, [k_deleted_at] VARCHAR(24) COLLATE Latin1_General_100_BIN2, [k_deleted_by] NVARCHAR(255) COLLATE Latin1_General_100_BIN2, UNIQUE NONCLUSTERED ([OrderId]));

-- add a column
ALTER TABLE [comments] ADD [Extra] NVARCHAR(MAX);

-- create an index
CREATE UNIQUE INDEX [k_1] ON [comments] ([k_id]);

-- record who made a table
INSERT INTO [kaptain_tables] ([k_table], [k_last_change], [k_reloaded_through], [k_made_by_us]) VALUES (@p1, 0, 0, 1);
--   1: comments

-- correct who made a table
UPDATE [kaptain_tables] SET [k_made_by_us] = 0 WHERE [k_table] = @p1;
--   1: comments

-- count unusable keys
SELECT count(*) FROM (SELECT [OrderId] FROM [comments] GROUP BY [OrderId] HAVING count(*) > 1 OR [OrderId] IS NULL) t;

-- lock the table
UPDATE [kaptain_tables] SET [k_last_change] = [k_last_change] + 1 WHERE [k_table] = @p1;
--   1: comments

-- read the control row
SELECT [k_last_change], [k_reloaded_through], [k_made_by_us] FROM [kaptain_tables] WHERE [k_table] = @p1;
--   1: comments

-- adopt rows of other programs
UPDATE [comments] SET [k_id] = LOWER(LEFT(CONVERT(VARCHAR(64), HASHBYTES('SHA2_256', CONCAT(N'9 ', CONVERT(NVARCHAR(MAX), [OrderId]))), 2), 32)), [k_user] = @p1, [k_version] = 1, [k_change] = 9, [k_created_at] = @p2, [k_updated_at] = @p3 WHERE [k_id] IS NULL AND [OrderId] IS NOT NULL;
--   1: 
--   2: 2026-01-31T10:00:00.000Z
--   3: 2026-01-31T10:00:00.000Z

-- find by keys
SELECT s.c0, t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], t.[Comment], t.[Amount], t.[Done], CONVERT(VARCHAR(10), t.[Due], 23), CONVERT(VARCHAR(23), t.[Seen], 126), t.[Tags] FROM OPENJSON(@p1) WITH (c0 NVARCHAR(MAX) '$[0]') AS s INNER JOIN [comments] t ON t.[OrderId] = CAST(s.c0 AS NVARCHAR(850)) COLLATE Latin1_General_100_BIN2;
--   1: [["A-1"]]

-- find how long rows are by keys
SELECT s.c0, t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], 0 + COALESCE(CAST(DATALENGTH(t.[Comment]) AS BIGINT), 0) + COALESCE(CAST(DATALENGTH(t.[Tags]) AS BIGINT), 0) FROM OPENJSON(@p1) WITH (c0 NVARCHAR(MAX) '$[0]') AS s INNER JOIN [comments] t ON t.[OrderId] = CAST(s.c0 AS NVARCHAR(850)) COLLATE Latin1_General_100_BIN2 WHERE t.[k_id] IS NOT NULL AND t.[k_deleted_at] IS NULL;
--   1: [["A-1"]]

-- find by ids
SELECT t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], t.[Comment], t.[Amount], t.[Done], CONVERT(VARCHAR(10), t.[Due], 23), CONVERT(VARCHAR(23), t.[Seen], 126), t.[Tags] FROM OPENJSON(@p1) WITH (c0 VARCHAR(32) '$[0]') AS s INNER JOIN [comments] t ON t.[k_id] = s.c0 COLLATE Latin1_General_100_BIN2;
--   1: [["0123456789abcdef01234567"]]

-- insert rows
INSERT INTO [comments] ([OrderId], [k_id], [k_user], [k_version], [k_change], [k_created_at], [k_updated_at], [k_deleted_at], [k_deleted_by], [Comment], [Amount], [Done], [Due], [Seen], [Tags]) SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8, s.c9, s.c10, s.c11, s.c12, s.c13, s.c14 FROM OPENJSON(@p1) WITH (c0 NVARCHAR(MAX) '$[0]', c1 VARCHAR(32) '$[1]', c2 NVARCHAR(MAX) '$[2]', c3 BIGINT '$[3]', c4 BIGINT '$[4]', c5 NVARCHAR(MAX) '$[5]', c6 NVARCHAR(MAX) '$[6]', c7 NVARCHAR(MAX) '$[7]', c8 NVARCHAR(MAX) '$[8]', c9 NVARCHAR(MAX) '$[9]', c10 FLOAT '$[10]', c11 BIT '$[11]', c12 DATE '$[12]', c13 DATETIME2(3) '$[13]', c14 NVARCHAR(MAX) '$[14]') AS s;
--   1: [["A-1","0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- update rows
UPDATE t SET [k_user] = s.c1, [k_version] = s.c2, [k_change] = s.c3, [k_created_at] = s.c4, [k_updated_at] = s.c5, [k_deleted_at] = s.c6, [k_deleted_by] = s.c7, [Comment] = s.c8, [Amount] = s.c9, [Done] = s.c10, [Due] = s.c11, [Seen] = s.c12, [Tags] = s.c13 FROM [comments] AS t INNER JOIN OPENJSON(@p1) WITH (c0 VARCHAR(32) '$[0]', c1 NVARCHAR(MAX) '$[1]', c2 BIGINT '$[2]', c3 BIGINT '$[3]', c4 NVARCHAR(MAX) '$[4]', c5 NVARCHAR(MAX) '$[5]', c6 NVARCHAR(MAX) '$[6]', c7 NVARCHAR(MAX) '$[7]', c8 NVARCHAR(MAX) '$[8]', c9 FLOAT '$[9]', c10 BIT '$[10]', c11 DATE '$[11]', c12 DATETIME2(3) '$[12]', c13 NVARCHAR(MAX) '$[13]') AS s ON t.[k_id] = s.c0 COLLATE Latin1_General_100_BIN2;
--   1: [["0123456789abcdef01234567","Ann",1,9,"2026-01-31T10:00:00.000Z","2026-01-31T10:00:00.000Z",null,null,"good",1.5,1,"2026-01-31","2026-01-31T10:00:00.000","[\"a\"]"]]

-- delete rows
UPDATE t SET [k_change] = s.c1, [k_deleted_at] = s.c2, [k_deleted_by] = s.c3 FROM [comments] AS t INNER JOIN OPENJSON(@p1) WITH (c0 VARCHAR(32) '$[0]', c1 BIGINT '$[1]', c2 NVARCHAR(MAX) '$[2]', c3 NVARCHAR(MAX) '$[3]') AS s ON t.[k_id] = s.c0 COLLATE Latin1_General_100_BIN2;
--   1: [["0123456789abcdef01234567",9,"2026-01-31T10:00:00.000Z","Ann"]]

-- add to the history
INSERT INTO [kaptain_history] ([k_table], [k_id], [k_version], [k_updated_at], [k_deleted_at], [k_deleted_by], [k_restored_by], [k_user], [k_data]) SELECT s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8 FROM OPENJSON(@p1) WITH (c0 NVARCHAR(MAX) '$[0]', c1 VARCHAR(32) '$[1]', c2 BIGINT '$[2]', c3 NVARCHAR(MAX) '$[3]', c4 NVARCHAR(MAX) '$[4]', c5 NVARCHAR(MAX) '$[5]', c6 NVARCHAR(MAX) '$[6]', c7 NVARCHAR(MAX) '$[7]', c8 NVARCHAR(MAX) '$[8]') AS s;
--   1: [["comments","0123456789abcdef01234567",1,"2026-01-31T10:00:00.000Z",null,null,null,"Ann","{\"text\":\"good\"}"]]

-- find how long a row is
SELECT t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], 0 + COALESCE(CAST(DATALENGTH(t.[Comment]) AS BIGINT), 0) + COALESCE(CAST(DATALENGTH(t.[Tags]) AS BIGINT), 0) FROM OPENJSON(@p1) WITH (c0 VARCHAR(32) '$[0]') AS s INNER JOIN [comments] t ON t.[k_id] = s.c0 COLLATE Latin1_General_100_BIN2;
--   1: [["0123456789abcdef01234567"]]

-- read a page
SELECT t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], 0 + COALESCE(CAST(DATALENGTH(t.[Comment]) AS BIGINT), 0) + COALESCE(CAST(DATALENGTH(t.[Tags]) AS BIGINT), 0) FROM [comments] t WHERE t.[k_id] IS NOT NULL AND t.[k_deleted_at] IS NULL AND (LOWER(CAST(t.[OrderId] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p1 ESCAPE '!' OR LOWER(CAST(t.[k_user] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p2 ESCAPE '!' OR LOWER(CAST(t.[Comment] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p3 ESCAPE '!' OR LOWER(CAST(FORMAT(t.[Amount], 'G', 'en-US') AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p4 ESCAPE '!' OR LOWER(CAST(CASE WHEN t.[Done] = 1 THEN 'true' ELSE 'false' END AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p5 ESCAPE '!' OR LOWER(CAST(CONVERT(VARCHAR(10), t.[Due], 23) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p6 ESCAPE '!' OR LOWER(CAST(CONVERT(VARCHAR(23), t.[Seen], 126) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p7 ESCAPE '!' OR LOWER(CAST(t.[Tags] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p8 ESCAPE '!') ORDER BY t.[OrderId] ASC, t.[k_id] ASC OFFSET 20 ROWS FETCH NEXT 10 ROWS ONLY;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- read a page that is filtered and sorted by fields
SELECT t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], 0 + COALESCE(CAST(DATALENGTH(t.[Comment]) AS BIGINT), 0) + COALESCE(CAST(DATALENGTH(t.[Tags]) AS BIGINT), 0) FROM [comments] t WHERE t.[k_id] IS NOT NULL AND t.[k_deleted_at] IS NULL AND (LOWER(CAST(t.[OrderId] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p1 ESCAPE '!' OR LOWER(CAST(t.[k_user] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p2 ESCAPE '!' OR LOWER(CAST(t.[Comment] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p3 ESCAPE '!' OR LOWER(CAST(FORMAT(t.[Amount], 'G', 'en-US') AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p4 ESCAPE '!' OR LOWER(CAST(CASE WHEN t.[Done] = 1 THEN 'true' ELSE 'false' END AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p5 ESCAPE '!' OR LOWER(CAST(CONVERT(VARCHAR(10), t.[Due], 23) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p6 ESCAPE '!' OR LOWER(CAST(CONVERT(VARCHAR(23), t.[Seen], 126) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p7 ESCAPE '!' OR LOWER(CAST(t.[Tags] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p8 ESCAPE '!') AND (t.[Comment] IS NOT NULL AND LOWER(CAST(t.[Comment] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p9 ESCAPE '!') AND t.[Amount] >= CAST(@p10 AS FLOAT) AND t.[Amount] <= CAST(@p11 AS FLOAT) AND LEFT(CAST(CONVERT(VARCHAR(10), t.[Due], 23) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2, 10) >= @p12 AND LEFT(CAST(CONVERT(VARCHAR(10), t.[Due], 23) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2, 10) <= @p13 AND LEFT(CAST(t.[Comment] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2, 10) >= @p14 AND LEFT(CAST(t.[Comment] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2, 10) <= @p15 AND REPLACE(LEFT(CAST(CONVERT(VARCHAR(23), t.[Seen], 126) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2, 19), ' ', 'T') >= @p16 AND REPLACE(LEFT(CAST(CONVERT(VARCHAR(23), t.[Seen], 126) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2, 19), ' ', 'T') <= @p17 AND (t.[Done] IS NOT NULL AND LOWER(CAST(CASE WHEN t.[Done] = 1 THEN 'true' ELSE 'false' END AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p18 ESCAPE '!') AND (t.[Comment] IS NULL OR COALESCE(CAST(DATALENGTH(t.[Comment]) AS BIGINT), 0) = 0) AND NOT (t.[Tags] IS NULL OR COALESCE(CAST(DATALENGTH(t.[Tags]) AS BIGINT), 0) = 0 OR LOWER(CAST(t.[Tags] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p19 ESCAPE '!') ORDER BY CASE WHEN t.[Comment] IS NULL THEN 1 ELSE 0 END, CAST(t.[Comment] AS NVARCHAR(400)) ASC, t.[k_id] OFFSET 20 ROWS FETCH NEXT 10 ROWS ONLY;
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
--   19: ![]

-- read a page in descending order of a number
SELECT t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], 0 + COALESCE(CAST(DATALENGTH(t.[Comment]) AS BIGINT), 0) + COALESCE(CAST(DATALENGTH(t.[Tags]) AS BIGINT), 0) FROM [comments] t WHERE t.[k_id] IS NOT NULL AND t.[k_deleted_at] IS NULL AND (LOWER(CAST(t.[OrderId] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p1 ESCAPE '!' OR LOWER(CAST(t.[k_user] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p2 ESCAPE '!' OR LOWER(CAST(t.[Comment] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p3 ESCAPE '!' OR LOWER(CAST(FORMAT(t.[Amount], 'G', 'en-US') AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p4 ESCAPE '!' OR LOWER(CAST(CASE WHEN t.[Done] = 1 THEN 'true' ELSE 'false' END AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p5 ESCAPE '!' OR LOWER(CAST(CONVERT(VARCHAR(10), t.[Due], 23) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p6 ESCAPE '!' OR LOWER(CAST(CONVERT(VARCHAR(23), t.[Seen], 126) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p7 ESCAPE '!' OR LOWER(CAST(t.[Tags] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p8 ESCAPE '!') ORDER BY CASE WHEN t.[Amount] IS NULL THEN 1 ELSE 0 END, t.[Amount] DESC, t.[k_id] OFFSET 20 ROWS FETCH NEXT 10 ROWS ONLY;
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- count reloaded
SELECT count(*) FROM [comments] t WHERE t.[k_id] IS NOT NULL AND t.[k_deleted_at] IS NULL AND t.[k_change] <= 5;

-- count deleted
SELECT count(*) FROM [comments] t WHERE t.[k_id] IS NOT NULL AND t.[k_deleted_at] IS NOT NULL AND (LOWER(CAST(t.[OrderId] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p1 ESCAPE '!' OR LOWER(CAST(t.[k_user] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p2 ESCAPE '!' OR LOWER(CAST(t.[Comment] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p3 ESCAPE '!' OR LOWER(CAST(FORMAT(t.[Amount], 'G', 'en-US') AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p4 ESCAPE '!' OR LOWER(CAST(CASE WHEN t.[Done] = 1 THEN 'true' ELSE 'false' END AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p5 ESCAPE '!' OR LOWER(CAST(CONVERT(VARCHAR(10), t.[Due], 23) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p6 ESCAPE '!' OR LOWER(CAST(CONVERT(VARCHAR(23), t.[Seen], 126) AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p7 ESCAPE '!' OR LOWER(CAST(t.[Tags] AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2) LIKE @p8 ESCAPE '!');
--   1: %50!%%
--   2: %50!%%
--   3: %50!%%
--   4: %50!%%
--   5: %50!%%
--   6: %50!%%
--   7: %50!%%
--   8: %50!%%

-- stream since a watermark
SELECT t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], t.[Comment], t.[Amount], t.[Done], CONVERT(VARCHAR(10), t.[Due], 23), CONVERT(VARCHAR(23), t.[Seen], 126), t.[Tags] FROM [comments] t WHERE t.[k_id] IS NOT NULL AND t.[k_deleted_at] IS NULL AND t.[k_change] > 3 ORDER BY t.[k_change], t.[k_id];

-- stream since a watermark with deletions
SELECT t.[OrderId], t.[k_id], t.[k_user], t.[k_version], t.[k_change], t.[k_created_at], t.[k_updated_at], t.[k_deleted_at], t.[k_deleted_by], t.[Comment], t.[Amount], t.[Done], CONVERT(VARCHAR(10), t.[Due], 23), CONVERT(VARCHAR(23), t.[Seen], 126), t.[Tags] FROM [comments] t WHERE t.[k_id] IS NOT NULL AND t.[k_change] > 3 ORDER BY t.[k_change], t.[k_id];

-- count deleted since a watermark
SELECT count(*) FROM [comments] t WHERE t.[k_id] IS NOT NULL AND t.[k_deleted_at] IS NOT NULL AND t.[k_change] > 3;

-- read how long the history is
SELECT [k_version], [k_updated_at], [k_deleted_at], [k_deleted_by], [k_restored_by], [k_user], COALESCE(CAST(DATALENGTH([k_data]) AS BIGINT), 0) FROM [kaptain_history] WHERE [k_table] = @p1 AND [k_id] = @p2 AND [k_version] < 7 ORDER BY [k_version] DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- read the history
SELECT [k_version], [k_data] FROM [kaptain_history] WHERE [k_table] = @p1 AND [k_id] = @p2 AND [k_version] >= 3 AND [k_version] < 7 AND COALESCE(CAST(DATALENGTH([k_data]) AS BIGINT), 0) <= 1048576 ORDER BY [k_version] DESC;
--   1: comments
--   2: 0123456789abcdef01234567

-- count changes per day
SELECT d, count(*) FROM (SELECT LEFT([k_updated_at], 10) AS d FROM [comments] WHERE [k_updated_at] >= @p1 UNION ALL SELECT LEFT([k_deleted_at], 10) AS d FROM [comments] WHERE [k_deleted_at] >= @p2 UNION ALL SELECT LEFT([k_updated_at], 10) AS d FROM [kaptain_history] WHERE [k_table] = @p3 AND [k_updated_at] >= @p4 UNION ALL SELECT LEFT([k_deleted_at], 10) AS d FROM [kaptain_history] WHERE [k_table] = @p5 AND [k_deleted_at] >= @p6) t GROUP BY d ORDER BY d;
--   1: 2026-01-01
--   2: 2026-01-01
--   3: comments
--   4: 2026-01-01
--   5: comments
--   6: 2026-01-01

-- mark as reloaded
UPDATE [kaptain_tables] SET [k_reloaded_through] = 9 WHERE [k_table] = @p1;
--   1: comments

-- drop a table
DROP TABLE [comments];
