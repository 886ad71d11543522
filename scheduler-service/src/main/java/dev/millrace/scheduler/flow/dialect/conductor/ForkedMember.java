package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/**
 * Output or status of a task created by one of several dynamic forks; null if none of them created it.
 *
 * @param forks ids of the forks' steps; the first fork that created the task counts
 */
record ForkedMember(List<String> forks, String task, boolean status) implements Computed {
    ForkedMember {
        forks = List.copyOf(forks);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        for (String fork : forks) {
            JsonValue output = new ForkedOutputs(fork).outputs(scope).get(task);
            if (output != null) {
                return status ? TaskStatus.of(output) : output;
            }
        }
        return JsonValue.NULL;
    }

    @Override
    public Reads reads() {
        return forks.stream().map(Reads::step).reduce(Reads.NOTHING, Reads::and);
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".forked_member")
                .texts(forks)
                .text(task)
                .flag(status)
                .write();
    }
}
