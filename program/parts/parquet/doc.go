// Package parquet writes the results of studies and experiments as Parquet, for pandas, R, DuckDB and others that read
// columns:
//
//	Parts: append(parts.All(), study.Of(bikes, parquet.Tables)),
//
// and then
//
//	bikes --replications=20 --vary=bikes=1..4 --table=f.parquet
//
// It is a package of its own because the library that writes Parquet comes with seven other modules. A program that
// does not import it has none of them, and writes CSV.
package parquet
