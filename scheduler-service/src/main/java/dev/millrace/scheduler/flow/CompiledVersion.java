package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.schema.SchemaInvalid;

/** A stored version of a flow, compiled again. */
record CompiledVersion(FlowVersion stored, FlowDefinition flow, InputCheck inputs) {
    CompiledVersion {
        requireNonNull(stored, "stored");
        requireNonNull(flow, "flow");
        requireNonNull(inputs, "inputs");
    }

    static CompiledVersion of(String hash, FlowVersion stored) {
        return switch (FlowCompiler.compile(stored.source())) {
            case Compilation.Compiled compiled -> {
                try {
                    yield new CompiledVersion(stored, compiled.flow(), InputCheck.of(compiled.flow()));
                } catch (SchemaInvalid invalid) {
                    throw broken(hash, invalid.problem());
                }
            }
            case Compilation.Rejected rejected -> throw broken(hash, rejected.problems());
        };
    }

    /** The version as a part of another flow. */
    SubFlows.Version asSubFlow() {
        return new SubFlows.Version(flow, stored.scripts(), inputs);
    }

    private static MillraceException broken(String hash, Object problems) {
        return new MillraceException(
                ErrorCode.INVALID_FLOW,
                "The flow version " + hash + " was valid when it was deployed, but no longer compiles: " + problems
                        + " Deploy it again.");
    }
}
