// Package millrace calls the main of a script with the input of a job, and writes its result.
package millrace

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"syscall"
)

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
	stdin       = bufio.NewReader(os.Stdin)
)

// The package of the script imports this one, so that even its own variables are initialized after this.
func init() {
	line, err := stdin.ReadBytes('\n')
	check(err)
	variables := map[string]string{"WM_WORKSPACE": os.Getenv("MILLRACE_WORKSPACE")}
	check(json.Unmarshal(line, &variables))
	for name, value := range variables {
		check(os.Setenv(name, value))
	}
}

// Run ends the process: with code 0 after the result is written.
func Run(main any, names []string) {
	result, err := filepath.Abs("result.json")
	check(err)
	input, err := io.ReadAll(stdin)
	check(err)
	function := reflect.ValueOf(main)
	arguments := bind(function.Type(), names, input)
	write(result, function.Call(arguments))
	os.Exit(0)
}

func bind(main reflect.Type, names []string, input []byte) []reflect.Value {
	given := map[string]json.RawMessage{}
	check(json.Unmarshal(input, &given))
	arguments := make([]reflect.Value, len(names))
	for i, name := range names {
		parameter := main.In(i)
		value, ok := given[name]
		delete(given, name)
		switch {
		case parameter == contextType:
			ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
			arguments[i] = reflect.ValueOf(ctx)
		case ok:
			argument := reflect.New(parameter)
			decoder := json.NewDecoder(bytes.NewReader(value))
			if err := decoder.Decode(argument.Interface()); err != nil {
				fail("InputError: the input %q cannot become a %v: %v", name, parameter, err)
			}
			arguments[i] = argument.Elem()
		case parameter.Kind() == reflect.Pointer || parameter.Kind() == reflect.Interface:
			arguments[i] = reflect.Zero(parameter)
		default:
			fail("InputError: the input lacks %q, which main takes as %v; main takes: %s", name, parameter, list(names))
		}
	}
	if len(given) > 0 {
		unknown := []string{}
		for name := range given {
			unknown = append(unknown, name)
		}
		sort.Strings(unknown)
		fail("InputError: main has no parameter for the input %s; it takes: %s", list(unknown), list(names))
	}
	return arguments
}

func write(file string, results []reflect.Value) {
	if n := len(results); n > 0 && results[n-1].Type() == errorType {
		if err, _ := results[n-1].Interface().(error); err != nil {
			fail("%v", err)
		}
		results = results[:n-1]
	}
	var result any
	if len(results) > 0 {
		result = results[0].Interface()
	}
	encoded, err := json.Marshal(result)
	if err != nil {
		fail("ResultError: the result of main is no JSON: %v", err)
	}
	check(os.WriteFile(file, encoded, 0o600))
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}
