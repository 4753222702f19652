module corpus

go 1.26.0
