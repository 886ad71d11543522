package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.Utf8;
import dev.millrace.scheduler.flow.core.graph.ParallelWork;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.LoopState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Gathers the results of iterations or branches. */
final class LoopResult {
    private LoopResult() {}

    /** Returns the result of the loop; empty if it exceeds the size limit of a value. */
    static Optional<Resolution> gather(FlowState state, LoopState loop) {
        int bytesMax = state.model().payloadBytesMax();
        Optional<Template> key = loop.fan().options().key();
        if (key.isPresent()) {
            return named(state, loop, key.get(), bytesMax);
        }
        return loop.fan() instanceof ParallelWork parallel && parallel.isNamed()
                ? fitting(branches(loop, parallel), bytesMax)
                : array(loop, bytesMax).flatMap(array -> fitting(array, bytesMax));
    }

    private static Optional<Resolution> fitting(JsonValue gathered, int bytesMax) {
        return Utf8.exceeds(gathered, bytesMax) ? Optional.empty() : Optional.of(new Resolution.Resolved(gathered));
    }

    /** Returns the array of results; empty if it is too long. Reads stored results one at a time. */
    private static Optional<JsonValue> array(LoopState loop, int lengthMax) {
        StringBuilder gathered = new StringBuilder((int) Math.min(loop.resultLength() + loop.done() + 2, lengthMax));
        gathered.append('[');
        for (int i = loop.firstKept(); i < loop.done(); i++) {
            gathered.append(gathered.length() == 1 ? "" : ",").append(loop.result(i));
            if (gathered.length() > lengthMax) {
                return Optional.empty();
            }
        }
        return Optional.of(JsonValue.of(gathered.append(']').toString()));
    }

    /** Returns the results so far, as far as the loop keeps them. */
    static JsonValue soFar(LoopState loop, int lengthMax) {
        StringBuilder gathered = new StringBuilder("[");
        for (int i = loop.firstKept(); i < loop.next(); i++) {
            if (loop.hasEnded(i)) {
                gathered.append(gathered.length() == 1 ? "" : ",").append(loop.result(i));
            }
            if (gathered.length() > lengthMax) {
                throw new EvaluationFailed("results_so_far is larger than the limit of " + lengthMax + " bytes.");
            }
        }
        return JsonValue.of(gathered.append(']').toString());
    }

    private static JsonValue branches(LoopState loop, ParallelWork parallel) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (int i = 0; i < loop.done(); i++) {
            JsonValue result = loop.result(i);
            members.put(parallel.branches().get(i).name(), result == null ? JsonValue.NULL : result);
        }
        return JsonValue.ofMembers(members);
    }

    /**
     * Returns the object of named results; empty if it is too long. Names are computed here, so their total length is
     * checked while they are.
     */
    private static Optional<Resolution> named(FlowState state, LoopState loop, Template key, int bytesMax) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        long namesLength = 0;
        for (int i = loop.firstKept(); i < loop.done(); i++) {
            JsonValue result = loop.result(i);
            switch (Bindings.of(state, loop.newIteration(i)).resolve(key)) {
                case Resolution.Unresolved unresolved -> {
                    return Optional.of(unresolved);
                }
                case Resolution.Resolved(JsonValue value) -> {
                    String name = text(value);
                    boolean isNew = members.put(name, result == null ? JsonValue.NULL : result) == null;
                    namesLength += isNew ? name.length() : 0;
                }
            }
            if (namesLength > bytesMax) {
                return Optional.empty();
            }
        }
        return fitting(JsonValue.ofMembers(members), bytesMax);
    }

    private static String text(JsonValue name) {
        return name.kind() == JsonValue.Kind.STRING ? name.string() : name.toString();
    }
}
