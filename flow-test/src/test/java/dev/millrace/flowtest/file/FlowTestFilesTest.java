package dev.millrace.flowtest.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.flowtest.script.ScriptHost;
import dev.millrace.worker.ScriptWorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlowTestFilesTest {
    private static final Path HOME = Path.of("..");
    /** A file in the page for users: its name, and its content. */
    private static final Pattern SHOWN =
            Pattern.compile("`([\\w.]+)`[^`\\n]*:\\n\\n```yaml\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private static Path workerFolder = Path.of("");

    private static final ScriptHost SCRIPTS =
            new ScriptHost(target -> ScriptWorkerOptions.of(target).withFolder(workerFolder));

    @TempDir
    private Path folder = Path.of("");

    @AfterAll
    static void stop() {
        SCRIPTS.close();
    }

    private List<FlowTestRunner.Result> run(Path file) {
        FlowTestFile tests = FlowTestReader.read(file);
        assertThat(tests.messages()).isEmpty();
        List<FlowTestRunner.Result> results = new ArrayList<>();
        FlowTestRunner.run(tests, _ -> true, SCRIPTS, results::add);
        return results;
    }

    private FlowTestFile read(String content) throws IOException {
        return FlowTestReader.read(Files.writeString(folder.resolve("a.test.yaml"), content));
    }

    private List<String> differences(String flow, String test) throws IOException {
        Files.writeString(folder.resolve("flow.yaml"), "millrace: v1\n" + flow);
        FlowTestFile file = read("flow: flow.yaml\ntests:\n  - " + test);
        assertThat(file.messages()).isEmpty();
        List<FlowTestRunner.Result> results = new ArrayList<>();
        FlowTestRunner.run(file, _ -> true, SCRIPTS, results::add);
        return results.getFirst().differences();
    }

    @Test
    void theTestsOfTheExamplePass() {
        assertThat(run(HOME.resolve("examples/pipeline/flow.test.yaml")))
                .hasSize(3)
                .allSatisfy(result -> assertThat(result.differences()).isEmpty());
    }

    @Test
    void theTestsInThePageForUsersPass() throws IOException {
        Matcher shown = SHOWN.matcher(Files.readString(HOME.resolve("docs/how-to/test-flows.md")));
        int files = 0;
        while (shown.find()) {
            Files.writeString(folder.resolve(shown.group(1)), shown.group(2));
            files++;
        }
        assertThat(files).isEqualTo(2);
        assertThat(run(folder.resolve("order.test.yaml")))
                .hasSize(3)
                .allSatisfy(result -> assertThat(result.differences()).isEmpty());
    }

    @Test
    void aDifferentOutputIsShownLineByLine() throws IOException {
        assertThat(differences("steps: []\noutput: {a: 1, b: [2, 3]}", "expect: {output: {b: [2, 4], a: 1}}"))
                .singleElement()
                .asString()
                .contains("- expected", "+ actual", "-   \"b\" : [ 2, 4 ]", "+   \"b\" : [ 2, 3 ]", "    \"a\" : 1");
    }

    @Test
    void whatIsNotExpectedIsFound() throws IOException {
        String flow = "steps: [{id: a, script: a.py, on_failure: continue}, {id: b, wait: {for: 1m}}]";
        assertThat(differences(
                        flow,
                        "{fakes: {a: {fails: 1, result: 2}}, expect: {steps: {a: skipped, b: none},"
                                + " calls: {a: 3}, elapsed: 2m, started: [x], error: no}}"))
                .hasSize(6);
    }

    @Test
    void stepsAndFakesThatDoNotExistAreFound() throws IOException {
        assertThat(differences(
                        "steps: [{id: a, value: 1}]",
                        "{fakes: {a.py: {result: 1}}, expect: {steps: {b: none, a.c: none}, calls: {b.py: 0}}}"))
                .hasSize(3);
    }

    @Test
    void aSignalForWhichNobodyWaitsIsFound() throws IOException {
        assertThat(differences("steps: []", "signals: [{name: x}]"))
                .singleElement()
                .asString()
                .isEqualTo("No step has waited for the signal \"x\", which the test sends.");
    }

    @Test
    void aSignalWithTheNameOfAnApprovalIsToldTheStep() throws IOException {
        assertThat(differences(
                        "steps: [{id: size, switch: {value: 1, cases: [{equals: 1, steps: [{id: ok, wait: {approval: ship, timeout: 1h}}]}]}}]",
                        "signals: [{name: ship}]"))
                .last()
                .asString()
                .startsWith("No step has waited for the signal \"ship\", which the test sends. Step \"size.ok\" waits")
                .endsWith("write step: size.ok in place of name: ship.");
    }

    @Test
    void resultsOfAFakeComeOneAfterTheOther() throws IOException {
        String flow = "steps: [{id: each, for_each: [a, b], script: a.py, input: {x: '${{ item }}'}}]";
        assertThat(differences(
                        flow,
                        "{fakes: {a.py: {results: [1, '${{ inputs.x }}']}}, expect: {output: [1, b],"
                                + " calls: {a.py: [{x: a}, {x: b}]}}}"))
                .isEmpty();
        assertThat(differences(flow, "{fakes: {a.py: {results: [1]}}}"))
                .singleElement()
                .asString()
                .contains("is called once more");
    }

    @Test
    void stepsWithoutAFakeRunTheirScriptsInRealProcesses() throws IOException {
        Files.writeString(folder.resolve("greeting.py"), "def of(name):\n    return 'Hello, ' + name\n");
        Files.writeString(folder.resolve("greet.py"), """
                import greeting
                import millrace

                def main(name):
                    print("greeting", name)
                    millrace.current().data.set("greeted", name)
                    if millrace.current().attempt == 1:
                        raise ConnectionError("The line is busy.")
                    return greeting.of(name)
                """);
        Files.writeString(folder.resolve("recall.py"), """
                import millrace

                def main():
                    saved = millrace.blobs.put(millrace.current().data.get("greeted").encode())
                    with millrace.blobs.open(saved) as file:
                        return file.read().decode()
                """);
        String flow = """
                steps:
                  - {id: greet, script: greet.py, input: {name: '${{ inputs.name }}'}, retry: {max_retries: 1, delay: 1h}}
                  - {id: who, script: recall.py}
                inputs: {name: {type: string}}
                output: ['${{ steps.greet.result }}', '${{ steps.who.result }}']
                """;
        assertThat(differences(
                        flow,
                        "{input: {name: Ada}, expect: {output: ['Hello, Ada', Ada], elapsed: 1h,"
                                + " calls: {greet.py: 2}}}"))
                .isEmpty();
        // A fake still counts first, and may run another script.
        Files.writeString(folder.resolve("other.py"), "def main(name):\n    return name.upper()\n");
        assertThat(differences(
                        flow,
                        "{input: {name: Ada}, fakes: {greet: {script: other.py, fails: 1}, who: {result: 1}},"
                                + " expect: {output: [ADA, 1]}}"))
                .isEmpty();
    }

    @Test
    void scriptsGetTheSecretsAndResourcesOfTheTest() throws IOException {
        Files.writeString(folder.resolve("flow.yaml"), """
                millrace: v1
                steps:
                  - id: call
                    script: call.py
                    input:
                      key: "${{ secrets.shop.key }}"
                      header: "Bearer ${{ secrets.shop.key }}"
                      db: "${{ resources.shop.db }}"
                """);
        Files.writeString(folder.resolve("call.py"), """
                import millrace

                def main(key, header, db):
                    print(key)
                    own = millrace.current().secrets.get("shop/own")
                    return [len(key), header.startswith("Bearer "), db["port"], len(own)]
                """);
        FlowTestFile file = read("""
                flow: flow.yaml
                secrets: {shop/key: of the file, shop/own: "12345"}
                resources: {shop/db: {host: localhost, port: 5432}}
                tests:
                  - {name: theirs, secrets: {shop/key: of the test}, expect: {output: [11, true, 5432, 5]}}
                  - {name: the files, expect: {output: [11, true, 5432, 5]}}
                """);
        assertThat(file.messages()).isEmpty();
        List<FlowTestRunner.Result> results = new ArrayList<>();
        FlowTestRunner.run(file, _ -> true, SCRIPTS, results::add);

        assertThat(results).extracting(FlowTestRunner.Result::differences).containsOnly(List.of());
        assertThat(results.getFirst().output()).noneMatch(line -> line.contains("of the test"));
        assertThat(differences("steps: [{id: a, script: call.py, input: {key: '${{ secrets.shop.no }}'}}]", "{}"))
                .singleElement()
                .asString()
                .contains("holds ${{ secrets.shop.no }}, which the test does not give. Add it to secrets");
    }

    @Test
    void aFileTestsAScript() throws IOException {
        Files.writeString(folder.resolve("half.py"), "def main(n: int):\n    print('n is', n)\n    return 10 // n\n");
        FlowTestFile file = read("""
                script: half.py
                tests:
                  - {name: halves, input: {n: 2}, expect: {output: 5}}
                  - {name: refuses zero, input: {n: 0}, expect: {error: {name: ZeroDivisionError}}}
                  - {name: is wrong, input: {n: 1}, expect: {output: 7}}
                  - {name: checks its input, input: {n: x}, expect: {error: {name: InputError}}}
                """);
        assertThat(file.messages()).isEmpty();
        List<FlowTestRunner.Result> results = new ArrayList<>();
        FlowTestRunner.run(file, _ -> true, SCRIPTS, results::add);

        assertThat(results).extracting(FlowTestRunner.Result::passed).containsExactly(true, true, false, true);
        assertThat(results.get(2).output()).containsExactly("The script printed:", "  n is 1");
        assertThat(read("script: a.py\nflow: b.yaml\ntests: [{}]").messages())
                .singleElement()
                .asString()
                .contains("a flow and a script");
    }

    @Test
    void mistakesAreReportedWithTheirLines() throws IOException {
        assertThat(read("flow: a.yaml\ntests:\n  - name: x\n    expct: {}\n    signals: [{at: soon}]\n")
                        .messages())
                .satisfiesExactly(
                        message ->
                                assertThat(message).contains("a.test.yaml:4:5: tests[0].expct: \"expct\" is not a key"),
                        message -> assertThat(message).contains(":5:15:").contains("either a name or a step"),
                        message -> assertThat(message).contains(":5:20:").contains("at is \"soon\""));
        assertThat(read("tests: 7").messages()).hasSize(2);
        assertThat(read("").messages()).singleElement().asString().contains("The file is empty.");
        assertThat(read("flow: [").messages()).singleElement().asString().contains("The YAML is not valid");
    }
}
