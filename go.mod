module github.com/ross-go/ross

go 1.26.0

require (
	github.com/emer/empi/v2 v2.0.0-dev0.0.5
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/stretchr/testify v1.12.1
	golang.org/x/sys v0.49.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
