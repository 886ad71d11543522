package dev.millrace.scheduler.submission;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.rpc.RequestFields;

/** Validates JSON that callers provide for an existing run. */
public final class RerunInputs {
    private final InputReader inputs;
    private final int bytesMax;

    public RerunInputs(FlowCatalog catalog, int bytesMax) {
        this.inputs = new InputReader(catalog, bytesMax);
        this.bytesMax = bytesMax;
    }

    /** Reads an input for another run of the same target. Fails if the input is invalid. */
    public Json read(ByteString input, RunTarget target) {
        Violations violations = new Violations();
        var read = inputs.read(input, target, "input", violations);
        violations.throwIfAny();
        return read.orElseThrow();
    }

    /** Reads any JSON value. Fails if the text is no JSON. */
    public Json readAny(ByteString json, String field) {
        Violations violations = new Violations();
        var text = RequestFields.text(field, json, bytesMax, violations);
        violations.throwIfAny();
        JsonText.problem(text.orElseThrow()).ifPresent(problem -> {
            throw MillraceException.invalid(field, "is not valid JSON: " + problem);
        });
        return new Json(text.get());
    }
}
