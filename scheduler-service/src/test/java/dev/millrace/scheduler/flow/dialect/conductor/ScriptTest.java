package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptTest {
    private static WorkflowRun inline(String expression, String parameters, String input) {
        return WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [{"name": "i", "taskReferenceName": "i", "type": "INLINE", "inputParameters": {
                  "evaluatorType": "graaljs", "expression": "%s", %s}}]}
                """.formatted(expression, parameters), input);
    }

    @Test
    void resultsInTheValueOfTheLastStatement() {
        String n = "\"n\": \"${workflow.input.n}\"";
        assertThat(inline("$.n * 2", n, "{\"n\": 4}").output()).isEqualTo("{\"result\":8}");
        assertThat(inline("(function () { return $.n + 1; })();", n, "{\"n\": 4}")
                        .output())
                .isEqualTo("{\"result\":5}");
        assertThat(inline("function e() { return {'big': $.n > 3}; } e();", n, "{\"n\": 4}")
                        .output())
                .isEqualTo("{\"result\":{\"big\":true}}");
        assertThat(inline("if ($.n > 3) { 'big'; } else { 'small'; }", n, "{\"n\": 4}")
                        .output())
                .isEqualTo("{\"result\":\"big\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "function f(x){ return x*100; } (5)                       | 5",
                "function f(x){ return x*100; }\\n(5)                     | 5",
                "function f(x){ return x*100; } f(5)                      | 500",
                "function f(x){ return x*100; } [5, 6]                    | [5,6]",
                "class A { n() { return 7; } } (new A().n())              | 7",
                "function f(x){ return x; } function g(x){ return f(x) + 1; } ([g(1)])  | [2]",
                "(function(x){ return x*100; }) (5)                       | 500",
                "function(x){ return x*100; } (5)                         | 500",
                "var f = function(x){ return x*100; }\\n(5); f             | 500",
                "var a = {k: [1, 2]}\\n['k']\\n[1]; a                      | 2",
                "var a = 1\\na + 1                                         | 2",
                "var a = 1, b = 2\\n++a; a + b                             | 4",
                "if ($.p) { 1; } (5)                                      | 5",
            })
    void resultsInWhatTheEngineTakesForTheLastStatement(String script, String result) {
        assertThat(inline(script, "\"p\": true", "{}").output()).isEqualTo("{\"result\":" + result + "}");
    }

    @Test
    void seesAllParametersAndUndefinedForOthers() {
        assertThat(inline("$['a b'] + $.list.length + typeof $.none", "\"a b\": 1, \"list\": [1, 2]", "{}")
                        .output())
                .isEqualTo("{\"result\":\"3undefined\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "$.list.get(0) + $.list.size()                             | 7",
                "$.none.isEmpty() && !$.list.isEmpty()                     | true",
                "$.list.contains(6) && !$.list.contains('6')               | true",
                "$.list.getFirst() + $.list.getLast()                      | 11",
                "$.list.add(7); $.list.remove(0); $.list.set(0, 8); $.list | [8,7]",
                "$.list.subList(1, 2).get(0)                               | 6",
                "$.list.map(x => x * 2).filter(x => x > 10).length + $.list.size() | 3",
                "$.map.get('a').get('b').size()                            | 2",
                "$.map.get('x') === null && $.map.containsKey('a')         | true",
                "$.map.keySet().contains('a') ? $.map.values().size() : 0  | 2",
                "var n = 0; for (var e of $.map.entrySet()) { n += e.getKey().length; } n | 5",
                "$.map.put('c', 3); $.map.remove('a'); $.map               | {\"size\":4,\"c\":3}",
                "$.map.getOrDefault('x', 9)                                | 9",
                "$.containsKey('list') && $.get('list').size() == 2        | true",
                "$.map.a.b.size() + $.map.size                             | 6",
            })
    void callsTheMethodsThatListsAndMapsHaveInJava(String script, String result) {
        String parameters = "\"list\": [5, 6], \"none\": [], \"map\": {\"a\": {\"b\": [1, 2]}, \"size\": 4}";
        assertThat(inline(script, parameters, "{}").output()).isEqualTo("{\"result\":" + result + "}");
    }

    /** A script that lists the members of its values sees only JSON members, whichever way it lists them. */
    @Test
    void seesNoMethodsOfJavaAmongTheMembers() {
        String list = "var all = []; for (var k in $.map) { all.push(k); } for (var i in $.list) { all.push(i); }"
                + " [$.list.size(), all, Object.keys($.map), JSON.stringify([$.map, $.list]), Array.isArray($.list), {...$.map},"
                + " [...$.list], $.list instanceof Array, $.map.hasOwnProperty('size'), typeof $.map.length, $.list + '']";
        assertThat(inline(list, "\"map\": {\"a\": 1}, \"list\": [5]", "{}").output())
                .isEqualTo(
                        "{\"result\":[1,[\"a\",\"0\"],[\"a\"],\"[{\\\"a\\\":1},[5]]\",true,{\"a\":1},[5],true,false,\"undefined\",\"5\"]}");
        assertThat(inline("typeof $.map.size + typeof [].size", "\"map\": {\"a\": 1}", "{}")
                        .output())
                .isEqualTo("{\"result\":\"undefinedundefined\"}");
        assertThat(inline("$.map.isEmpty(); $.map.size = 3; $.map", "\"map\": {\"a\": 1}", "{}")
                        .output())
                .isEqualTo("{\"result\":{\"a\":1,\"size\":3}}");
    }

    @Test
    void sharesMethodsOfJavaThatNoScriptCanChange() {
        String frozen = "$.list.size(); [$.list, $.list.get, $.list.get.constructor, $.map, $.map.get].map((v, i) =>"
                + " Object.isFrozen(i % 3 == 0 ? Object.getPrototypeOf(v) : v))";
        assertThat(inline(frozen, "\"map\": {\"a\": 1}, \"list\": [5]", "{}").output())
                .isEqualTo("{\"result\":[true,true,true,true,true]}");
        assertThat(inline("Object.getPrototypeOf($.list).size = 7; $.list.size()", "\"list\": [5]", "{}")
                        .failure())
                .contains("read only property 'size'");
    }

    @Test
    void saysWhichElementAListDoesNotHave() {
        assertThat(inline("$.list.get(2)", "\"list\": [5, 6]", "{}").failure())
                .contains("Index 2 out of bounds for length 2");
    }

    @Test
    void evaluatesAComputedScript() {
        String rule = "\"rule\": \"${workflow.input.rule}\", \"n\": 4";
        assertThat(inline("$.n * ${workflow.input.rule}", rule, "{\"rule\": \"$.n + 1\"}")
                        .output())
                .isEqualTo("{\"result\":17}");
        assertThat(inline("${workflow.input.list}.length", rule, "{\"list\": [1, 2, 3]}")
                        .output())
                .isEqualTo("{\"result\":3}");
        assertThat(inline("(function () { return ${workflow.input.none} === null; })()", rule, "{}")
                        .output())
                .isEqualTo("{\"result\":true}");
        assertThat(inline("${workflow.input.rule}", rule, "{\"rule\": \"$.n > 3 ? 'big' : 'small'\"}")
                        .output())
                .isEqualTo("{\"result\":\"big\"}");
    }

    @Test
    void takesTheEvaluatorFromTheInput() {
        String workflow = """
                {"name": "w", "tasks": [{"name": "i", "taskReferenceName": "i", "type": "INLINE", "inputParameters": {
                  "evaluatorType": "${workflow.input.by}", "expression": "n", "n": 7}}]}
                """;
        assertThat(WorkflowRun.of("conductor", workflow, "{\"by\": \"value-param\"}")
                        .output())
                .isEqualTo("{\"result\":7}");
        assertThat(WorkflowRun.of("conductor", workflow, "{\"by\": \"cobol\"}").failure())
                .contains("The evaluator \"cobol\" is unknown");
    }

    @Test
    void isJavaScriptWithoutAnEvaluator() {
        assertThat(WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [{"name": "i", "taskReferenceName": "i", "type": "INLINE",
                  "inputParameters": {"expression": "$.n + 1", "n": 7}}]}
                """, "{}").output()).isEqualTo("{\"result\":8}");
    }

    @Test
    void saysWhyAComputedScriptIsInvalid() {
        assertThat(inline("$.n + ${workflow.input.rule}", "\"n\": 4", "{\"rule\": \")(\"}")
                        .failure())
                .contains("\"i\"", "$.n + )(");
        assertThat(inline("${workflow.input.rule}", "\"n\": 4", "{\"rule\": [1]}")
                        .failure())
                .contains("The input of the task has expression as an array (expected: a string).");
    }

    @Test
    void evaluatesAComputedQuery() {
        String workflow = """
                {"name": "w", "tasks": [{"name": "q", "taskReferenceName": "q", "type": "JSON_JQ_TRANSFORM", "inputParameters": {
                  "items": "${workflow.input.items}", "queryExpression": "%s"}}]}
                """;
        String items = "\"items\": [{\"id\": 1, \"k\": 5}, {\"id\": 2, \"k\": 6}]";
        assertThat(WorkflowRun.of(
                                "conductor",
                                workflow.formatted(".items[] | select(.id == ${workflow.input.id}) | .k"),
                                "{\"id\": 2, " + items + "}")
                        .output())
                .isEqualTo("{\"result\":6,\"resultList\":[6]}");
        assertThat(WorkflowRun.of(
                                "conductor",
                                workflow.formatted("${workflow.input.query}"),
                                "{\"query\": \".items | length\", " + items + "}")
                        .output())
                .isEqualTo("{\"result\":2,\"resultList\":[2]}");
        assertThat(WorkflowRun.of("conductor", workflow.formatted("${workflow.input.query}"), "{\"query\": \".a |\"}")
                        .failure())
                .contains("The query \".a |\" is not jq");
    }

    @Test
    void runsAComputedLambda() {
        assertThat(WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [{"name": "l", "taskReferenceName": "l", "type": "LAMBDA", "inputParameters": {
                  "a": 3, "scriptExpression": "return $.a ${workflow.input.op} 2;"}}]}
                """, "{\"op\": \"*\"}").output()).isEqualTo("{\"result\":6}");
    }

    /** Conductor inserts values only into parameters. The expression of a SWITCH is a key of the task. */
    @Test
    void leavesTheTextOfASwitchAsItIs() {
        assertThat(WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [{"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "graaljs",
                  "expression": "`v${$.n}`", "inputParameters": {"n": 1}, "decisionCases": {"v1": [{"name": "a", "taskReferenceName": "a"}]}}]}
                """, "{}").live()).containsExactly("s.a");
    }

    @Test
    void failsForGoodWithAnErrorInTheScript() {
        assertThat(inline("$.a.b.c", "\"a\": {}", "{}").failure()).contains("\"i\"");
        assertThat(inline("throw new Error('out of stock')", "\"a\": {}", "{}").failure())
                .contains("out of stock");
    }

    @Test
    void runsTheBodyOfALambda() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [{"name": "l", "taskReferenceName": "l", "type": "LAMBDA", "inputParameters": {
                  "input": "${workflow.input}", "scriptExpression": "if ($.input.a == 1) { return {found: true}; } else { return {found: false}; }"}}],
                 "outputParameters": {"found": "${l.output.result.found}"}}
                """, "{\"a\": 1}");
        assertThat(run.output()).isEqualTo("{\"found\":true}");
    }

    @Test
    void switchesByTheTextOfAScriptsValue() {
        String workflow = """
                {"name": "w", "tasks": [{"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "javascript",
                  "expression": "%s", "inputParameters": {"n": "${workflow.input.n}"},
                  "decisionCases": {"3": [{"name": "three", "taskReferenceName": "three"}], "true": [{"name": "yes", "taskReferenceName": "yes"}]},
                  "defaultCase": [{"name": "other", "taskReferenceName": "other"}]}]}
                """;
        assertThat(WorkflowRun.of("conductor", workflow.formatted("$.n + 1"), "{\"n\": 2}")
                        .live())
                .containsExactly("s.three");
        assertThat(WorkflowRun.of("conductor", workflow.formatted("$.n > 1"), "{\"n\": 2}")
                        .live())
                .containsExactly("s.yes");
        assertThat(WorkflowRun.of("conductor", workflow.formatted("null"), "{\"n\": 2}")
                        .live())
                .containsExactly("s.other");
    }

    @Test
    void decidesByACaseExpression() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [{"name": "d", "taskReferenceName": "d", "type": "DECISION",
                  "caseExpression": "if ($.n > 10) 'big'; else 'small'", "inputParameters": {"n": "${workflow.input.n}"},
                  "decisionCases": {"big": [{"name": "b", "taskReferenceName": "b"}], "small": [{"name": "s", "taskReferenceName": "s"}]}}]}
                """, "{\"n\": 11}");
        assertThat(run.live()).containsExactly("d.b");
    }
}
