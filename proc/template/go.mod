module github.com/ross-go/ross/proc/template

go 1.26.0

require (
	github.com/ross-go/ross v0.1.0
	github.com/ross-go/ross/proc v0.1.0
	github.com/ross-go/ross/program/parts v0.1.0
)
