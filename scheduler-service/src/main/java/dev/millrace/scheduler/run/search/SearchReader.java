package dev.millrace.scheduler.run.search;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.run.RunProtos;
import dev.millrace.scheduler.run.RunState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Validates and reads the criteria of a list of runs. */
public final class SearchReader {
    private static final int NAME_LENGTH_MAX = 1_000;
    private static final int TAG_LENGTH_MAX = 1_000;

    private SearchReader() {}

    /**
     * Reads the criteria.
     *
     * @param folders folders of which the caller may see the runs; absent for all
     */
    public static RunSearch read(ListRunsRequest request, Optional<Set<String>> folders) {
        Violations violations = new Violations();
        RunSearch search = read(request, folders, "", violations);
        violations.throwIfAny();
        return search;
    }

    /**
     * Reads the criteria, and adds what is wrong with them to {@code violations}. The result must not be used if there
     * are any.
     *
     * @param prefix beginning of the names of fields in violations, for example {@code filter.}
     */
    public static RunSearch read(
            ListRunsRequest request, Optional<Set<String>> folders, String prefix, Violations violations) {
        Set<RunState> states = states(request, prefix, violations);
        String name = request.getName();
        violations.require(
                name.length() <= NAME_LENGTH_MAX && name.indexOf('\0') < 0,
                prefix + "name",
                "is neither a valid path of a flow or script nor a valid name of a handler");
        Optional<Instant> from =
                time(prefix + "created_from", request.hasCreatedFrom(), request.getCreatedFrom(), violations);
        Optional<Instant> before =
                time(prefix + "created_before", request.hasCreatedBefore(), request.getCreatedBefore(), violations);
        String tag = request.getTag();
        violations.require(
                tag.length() <= TAG_LENGTH_MAX && tag.indexOf('\0') < 0, prefix + "tag", "is not a valid tag");
        String startedBy = request.getStartedBy();
        violations.require(
                startedBy.length() <= NAME_LENGTH_MAX && startedBy.indexOf('\0') < 0,
                prefix + "started_by",
                "is neither a person, nor a trigger such as `webhook shop/order`, nor the id of a run");
        var input = PayloadConditionReader.read(request.getInputList(), prefix + "input", violations);
        var output = PayloadConditionReader.read(request.getOutputList(), prefix + "output", violations);
        // Whoever asks for a name means what has it.
        KindOfRun unspecified = request.getName().isEmpty() ? KindOfRun.WORK : KindOfRun.ALL;
        KindOfRun kind = KindOfRunProtos.kind(request.getKind(), prefix + "kind", unspecified, violations);
        return new RunSearch(
                states, kind, given(name), folders, from, before, given(tag), given(startedBy), input, output);
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(some -> !some.isEmpty());
    }

    private static Set<RunState> states(ListRunsRequest request, String prefix, Violations violations) {
        if (request.getStatesCount() == 0) {
            return EnumSet.allOf(RunState.class);
        }
        Set<RunState> states = EnumSet.noneOf(RunState.class);
        for (int index = 0; index < request.getStatesCount(); index++) {
            var state = request.getStates(index);
            String field = prefix + "states[" + index + "]";
            RunProtos.state(state)
                    .ifPresentOrElse(states::add, () -> violations.add(field, state + " is not a state of a run"));
        }
        return states;
    }

    private static Optional<Instant> time(String field, boolean given, Timestamp time, Violations violations) {
        return given ? violations.collect(field, () -> TimeProtos.instant(time)) : Optional.empty();
    }
}
