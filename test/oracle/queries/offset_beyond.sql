-- an offset past the last row
SELECT key FROM {dims} d ORDER BY key OFFSET 690;
