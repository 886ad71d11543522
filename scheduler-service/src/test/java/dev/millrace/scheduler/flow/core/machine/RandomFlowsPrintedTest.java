package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.flow.dialect.ModelText;
import dev.millrace.scheduler.flow.dialect.millrace.FlowPrinter;
import dev.millrace.scheduler.flow.dialect.millrace.Printing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RandomFlowsPrintedTest {
    private static final int FLOWS = 500;
    private static final String UNSAID = "a retry or time limit around a loop of one task";

    @Test
    void writesRandomFlowsThatCompileToTheSame() {
        long first = RandomGenerator.getDefault().nextLong(Long.MAX_VALUE - FLOWS);
        int printed = 0;
        for (long seed = first; seed < first + FLOWS; seed++) {
            FlowDefinition flow = withOpenInputs(new RandomFlow(new Random(seed)).next());
            Printing printing =
                    FlowPrinter.print(new Compilation.Compiled("random", flow, List.of(RandomFlow.SCRIPT), List.of()));
            if (printing instanceof Printing.Unprintable(List<String> reasons)) {
                assertThat(reasons)
                        .as("seed %s", seed)
                        .allSatisfy(reason -> assertThat(reason).contains(UNSAID));
                continue;
            }
            printed++;
            String definition = ((Printing.Printed) printing).definition();
            Compilation again = FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), definition));
            assertThat(again).as("seed %s%n%s", seed, definition).isInstanceOf(Compilation.Compiled.class);
            assertThat(ModelText.of(((Compilation.Compiled) again).flow(), Map.of()))
                    .as("seed %s", seed)
                    .isEqualTo(ModelText.of(flow, Map.of()));
        }
        assertThat(printed).isGreaterThan(FLOWS / 2);
    }

    /** Opens the inputs of a flow, because random flows read undeclared ones. */
    private static FlowDefinition withOpenInputs(FlowDefinition flow) {
        FlowOptions options = flow.options();
        return new FlowDefinition(
                flow.name(),
                flow.description(),
                flow.inputs(),
                flow.steps(),
                FlowOptions.NONE
                        .change()
                        .variables(options.variables())
                        .onFailure(options.onFailure())
                        .failureFlow(options.failureFlow()
                                .map(FailureFlow::path)
                                .map(path -> new FailureFlow(path, FailureFlow.Given.FAILURE)))
                        .timeout(options.timeout())
                        .priority(options.priority())
                        .concurrency(options.concurrency())
                        .inputSchema(options.inputSchema())
                        .undeclared(FlowOptions.Undeclared.KEPT)
                        .build());
    }
}
