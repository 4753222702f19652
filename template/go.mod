module github.com/ross-go/ross/template

go 1.26.0

require github.com/ross-go/ross v0.1.0
