// Reads a script and prints what a program around it has to know: its package, the names of the parameters of its main, and
// the modules that it imports from elsewhere. The argument after -- is the script.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

type facts struct {
	Package    string   `json:"package"`
	Parameters []string `json:"parameters"`
	External   []string `json:"external"`
}

func main() {
	files := token.NewFileSet()
	script, err := parser.ParseFile(files, os.Args[2], nil, parser.SkipObjectResolution)
	if err != nil {
		fail("%v", err)
	}
	found := facts{Package: script.Name.Name, Parameters: []string{}, External: []string{}}
	for _, one := range script.Imports {
		path, _ := strconv.Unquote(one.Path.Value)
		if path == "C" {
			fail("%s: import \"C\" is not available: scripts are compiled without cgo", files.Position(one.Pos()))
		}
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			found.External = append(found.External, path)
		}
	}
	if found.Package != "main" {
		found.Parameters = parameters(files, script)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		fail("%v", err)
	}
}

func parameters(files *token.FileSet, script *ast.File) []string {
	names := []string{}
	for _, one := range script.Decls {
		function, ok := one.(*ast.FuncDecl)
		if !ok || function.Recv != nil || function.Name.Name != "main" {
			continue
		}
		at := files.Position(function.Pos())
		if function.Type.TypeParams != nil {
			fail("%s: main must not have type parameters", at)
		}
		if function.Type.Results.NumFields() > 2 {
			fail("%s: main returns %d values (expected: a result and an error, or one of them, or nothing)", at,
				function.Type.Results.NumFields())
		}
		for _, field := range function.Type.Params.List {
			if _, ok := field.Type.(*ast.Ellipsis); ok {
				fail("%s: main must not have a variable number of parameters", files.Position(field.Pos()))
			}
			if len(field.Names) == 0 {
				fail("%s: the parameters of main need names, by which the input fills them", files.Position(field.Pos()))
			}
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
		return names
	}
	fail("%s:1:1: the script has no function main", files.Position(script.Pos()).Filename)
	return nil
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}
