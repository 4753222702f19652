module github.com/ross-go/ross/bench

go 1.26.0

require (
	github.com/ross-go/ross v0.1.0
	github.com/ross-go/ross/models v0.1.0
	github.com/ross-go/ross/proc v0.1.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/sys v0.49.0
)

require (
	github.com/emer/empi/v2 v2.0.0-dev0.0.5 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
