package dev.millrace.cli.flowtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCommandTest {
    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void writeFlow() throws IOException {
        write("flow.yaml", "millrace: v1\nsteps: [{id: a, script: a.py}]\n");
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
    }

    private void writeTests(String second) throws IOException {
        write("flow.test.yaml", """
                flow: flow.yaml
                fakes: {a: {result: 1}}
                tests:
                  - {name: gives one, expect: {output: 1}}
                  - {name: "gives <two>\\u0001", expect: {output: %s}}
                """.formatted(second));
    }

    private CliRunner.Outcome test(String... more) {
        String[] arguments = new String[more.length + 2];
        arguments[0] = "test";
        arguments[1] = folder.toString();
        System.arraycopy(more, 0, arguments, 2, more.length);
        return CliRunner.run(arguments);
    }

    @Test
    void testsThatPassEndWithZero() throws IOException {
        writeTests("1");

        CliRunner.Outcome outcome = test();

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).contains("✓ gives one (", "2 passed in ");
    }

    @Test
    void aTestThatFailsEndsWithOneAndShowsTheDifference() throws IOException {
        writeTests("2");

        CliRunner.Outcome outcome = test();

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output())
                .contains("✗ gives <two>", "flow.test.yaml:5", "- 2", "+ 1", "1 failed, 1 passed in ");
    }

    @Test
    void onlyTestsThatTheFilterTakesAreRun() throws IOException {
        writeTests("2");

        assertThat(test("--filter", "one").exitCode()).isZero();
        assertThat(test("--filter", "three").exitCode()).isEqualTo(2);
    }

    @Test
    void aFileThatCannotBeUsedEndsWithTwo() throws IOException {
        write("flow.test.yaml", "flow: flow.yaml\ntest: []\n");

        CliRunner.Outcome outcome = test();

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.output()).contains("flow.test.yaml:2:1: test: \"test\" is not a key");
    }

    @Test
    void aFolderWithoutTestsEndsWithTwo() {
        assertThat(test().exitCode()).isEqualTo(2);
    }

    @Test
    void programsGetJson() throws IOException {
        writeTests("2");

        assertThat(test("--output", "json").output())
                .contains("\"passed\": 1", "\"failed\": 1", "\"The output differs.");
    }

    @Test
    void theReportIsXmlWhateverTheNamesAre() throws Exception {
        writeTests("2");
        Path report = folder.resolve("reports/flows.xml");

        test("--junit", report.toString());

        var cases = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(Files.readString(report).getBytes(StandardCharsets.UTF_8)))
                .getElementsByTagName("testcase");
        assertThat(cases.getLength()).isEqualTo(2);
        assertThat(cases.item(1).getAttributes().getNamedItem("name").getNodeValue())
                .isEqualTo("gives <two>\ufffd");
        assertThat(cases.item(1).getTextContent()).contains("The output differs.");
    }
}
