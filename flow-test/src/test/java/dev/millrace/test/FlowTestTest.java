package dev.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.worker.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

final class FlowTestTest {
    private static final Path PAGE = Path.of("../docs/how-to/test-flows.md");

    @TempDir
    private Path folder;

    record Order(String item, LocalDate day) {}

    record Parcel(String parcel) {}

    /** Writes the flow and the tests of the page for users. */
    @BeforeEach
    void writeFilesOfThePage() throws IOException {
        List<String> blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
        Files.writeString(folder.resolve("order.yaml"), blocks.get(0));
        Files.writeString(folder.resolve("order.test.yaml"), blocks.get(1));
    }

    private FlowTest order() {
        return FlowTest.of(folder.resolve("order.yaml"))
                .fake(
                        "reserve.py",
                        input -> Map.of("id", "R-" + input.get("item").textValue()))
                .fake(
                        "ship.py",
                        input -> "parcel for " + input.get("reservation").textValue())
                .returning("release.py", null);
    }

    @Test
    void runsTheFlowInVirtualTime() {
        FlowResult result = order().failingFirst("reserve.py", 3, "ConnectionError", "The stock does not answer.")
                .signal("payment", Duration.ofDays(2), Map.of("method", "card"))
                .run(Map.of("item", "lamp"));

        assertThat(result.outputAs(Parcel.class)).isEqualTo(new Parcel("parcel for R-lamp"));
        assertThat(result.elapsed()).isEqualTo(Duration.ofDays(2));
        assertThat(result.calls("reserve.py")).hasSize(4);
        assertThat(result.calls("ship.py").getFirst().get("paid_with").textValue())
                .isEqualTo("card");
        assertThat(result.steps()).containsEntry("ship", "succeeded");
        assertThat(result.error()).isEmpty();
    }

    @Test
    void tellsWhyTheRunFailed() {
        FlowResult result = order().run(Map.of("item", "lamp"));

        assertThat(result.error().orElseThrow().name()).isEqualTo("TimedOut");
        assertThat(result.calls("release.py")).hasSize(1);
        assertThatThrownBy(result::output)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("The run has no output: FlowError[name=TimedOut");
    }

    @Test
    void anExceptionOfAFakeFailsTheAttempt() {
        FlowResult refused = order().fake("reserve.py", input -> {
                    throw new JobException("SoldOut", "No lamp is left.", false);
                })
                .run(Map.of("item", "lamp"));
        FlowResult broken = order().fake("reserve.py", input -> {
                    throw new IOException("The stock is closed.");
                })
                .run(Map.of("item", "lamp"));

        assertThat(refused.error()).contains(new FlowError("SoldOut", "Step \"reserve\" failed: No lamp is left."));
        assertThat(refused.calls("reserve.py")).hasSize(1);
        assertThat(broken.error())
                .contains(new FlowError("IOException", "Step \"reserve\" failed: The stock is closed."));
        assertThat(broken.calls("reserve.py")).as("retried three times").hasSize(4);
    }

    @Test
    void inputsMayBeRecordsWithDates() throws IOException {
        Files.writeString(
                folder.resolve("day.yaml"),
                "millrace: v1\nsteps: []\ninputs: {day: {}, item: {}}\noutput: ${{ inputs.day }}\n");

        assertThat(FlowTest.of(folder.resolve("day.yaml"))
                        .run(new Order("lamp", LocalDate.of(2026, 11, 25)))
                        .output()
                        .textValue())
                .isEqualTo("2026-11-25");
    }

    @Test
    void aTestThatIsWrongFailsWithTheRemedy() {
        assertThatThrownBy(() -> FlowTest.of(folder.resolve("order.yaml")).run(Map.of("item", "lamp")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("for which the test has no fake. Add one");
        assertThatThrownBy(() -> order().signal("payment", Map.of("method", "card"))
                        .signal("thanks", null)
                        .run(Map.of("item", "lamp")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("No step has waited for the signal \"thanks\"");
        assertThatThrownBy(() -> order().taking("pay.py", Duration.ZERO))
                .hasMessage("There is no fake \"pay.py\" yet: call fake or returning first.");
        assertThatThrownBy(() -> FlowTest.of(folder.resolve("none.yaml")).run(null))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("none.yaml");
    }

    @Test
    void testFilesBecomeTests() throws Throwable {
        List<DynamicNode> nodes = FlowTestFiles.in(folder).toList();
        DynamicContainer file = (DynamicContainer) nodes.getFirst();
        List<? extends DynamicNode> tests = file.getChildren().toList();

        assertThat(file.getDisplayName()).isEqualTo("order.test.yaml");
        assertThat(tests)
                .extracting(DynamicNode::getDisplayName)
                .containsExactly(
                        "ships once it is paid",
                        "tries again while the stock does not answer",
                        "releases the item if nobody pays");
        for (DynamicNode test : tests) {
            ((DynamicTest) test).getExecutable().execute();
        }
    }

    @Test
    void aTestFileThatFailsOrCannotBeUsedFails() throws IOException {
        Path file = folder.resolve("order.test.yaml");
        Files.writeString(file, Files.readString(file).replace("elapsed: 2d", "elapsed: 3d"));
        Files.writeString(folder.resolve("unusable.test.yaml"), "flow: order.yaml\ntests: 7\n");
        List<DynamicNode> nodes = FlowTestFiles.in(folder).toList();
        DynamicTest first = (DynamicTest)
                ((DynamicContainer) nodes.get(0)).getChildren().findFirst().orElseThrow();
        DynamicTest unusable = (DynamicTest) nodes.get(1);

        assertThatThrownBy(() -> first.getExecutable().execute())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("The run took 2d of virtual time (expected: 3d)");
        assertThatThrownBy(() -> unusable.getExecutable().execute())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("unusable.test.yaml:2");
    }

    /** As users write it. */
    @TestFactory
    Stream<DynamicNode> examples() {
        return FlowTestFiles.in(Path.of("../examples"));
    }

    @Test
    void scriptsRunInRealProcesses() throws IOException {
        Path script = Files.writeString(folder.resolve("greet.py"), "def main(name):\n    return 'Hello, ' + name\n");
        Files.writeString(folder.resolve("flow.yaml"), """
                millrace: v1
                name: greet
                steps: [{id: greet, script: greet.py, input: {name: Ada}}, {id: other, handler: h, input: {name: Bob}}]
                output: ['${{ steps.greet.result }}', '${{ steps.other.result }}']
                """);

        FlowResult flow =
                FlowTest.of(folder.resolve("flow.yaml")).script("other", script).run(null);

        assertThat(flow.output().toString()).isEqualTo("[\"Hello, Ada\",\"Hello, Bob\"]");
        assertThat(ScriptTest.of(script).run(Map.of("name", "Eve")).outputAs(String.class))
                .isEqualTo("Hello, Eve");
        assertThatThrownBy(() -> ScriptTest.of(folder.resolve("none.py")).run(null))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("none.py cannot be read");
    }
}
