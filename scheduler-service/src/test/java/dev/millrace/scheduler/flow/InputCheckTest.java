package dev.millrace.scheduler.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.schema.SchemaInvalid;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InputCheckTest {
    private static final String NOTHING = "steps: [{id: done, value: 1}]\n";

    @Test
    void aLaneChecksNoInputByAJsonSchema() throws SchemaInvalid {
        assertThat(outerOf(NOTHING).computes()).isFalse();
        assertThat(outerOf("inputs: {amount: {type: integer}}\n" + NOTHING).computes())
                .isFalse();
        assertThat(outerOf("input_schema: {properties: {name: {pattern: \"^(a+)+$\"}}}\n" + NOTHING)
                        .computes())
                .isTrue();
    }

    private static FlowModel outerOf(String inner) throws SchemaInvalid {
        FlowDefinition flow = flow(inner);
        SubFlows.Version version = new SubFlows.Version(flow, Map.of(), InputCheck.of(flow));
        return FlowModel.resolve(
                flow("steps: [{id: call, flow: inner}]\n"),
                Map.of(),
                new SubFlows(Map.of("inner", version), Set.of()),
                new Defaults(Duration.ofMinutes(5)),
                Limits.DEFAULT);
    }

    private static FlowDefinition flow(String definition) {
        FlowSource source = new FlowSource("flow.yaml", Optional.empty(), "millrace: v1\n" + definition);
        return ((Compilation.Compiled) FlowCompiler.compile(source)).flow();
    }
}
