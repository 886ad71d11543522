package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Reader of a retry policy: one phase whose keys are in the policy itself, or a list of phases. */
final class RetryFields {
    static final String RANDOM_DELAY = "random_delay";

    private static final List<String> SIMPLE_KEYS = List.of("max_retries", "delay", "multiplier");
    private static final List<String> KEYS = Stream.concat(
                    SIMPLE_KEYS.stream(), Stream.of("max_delay", "jitter", RANDOM_DELAY, "phases"))
            .toList();
    private static final List<String> PHASE_KEYS = List.of("shape", "max_retries", "delay", "factor", "steady");

    private final Reading reading;

    private RetryFields(Reading reading) {
        this.reading = reading;
    }

    static RetryPolicy read(Reading reading, SourceNode node, String path) {
        return new RetryFields(reading).policy(node, path);
    }

    private RetryPolicy policy(SourceNode node, String path) {
        Fields fields = Fields.of(reading.problems(), node, path, "a retry policy", KEYS);
        Duration delayMax = fields.duration("max_delay", Duration.ZERO, RetryPolicy.DELAY_LIMIT)
                .orElse(RetryPolicy.DELAY_MAX_DEFAULT);
        double jitter = fields.number("jitter", 0, 1).orElse(0.0);
        Duration randomDelay = fields.duration(RANDOM_DELAY, Duration.ZERO, RetryPolicy.DELAY_LIMIT)
                .orElse(Duration.ZERO);
        return new RetryPolicy(phasesOf(fields), delayMax, jitter, randomDelay);
    }

    /** Reads the list of phases, or the single phase in the policy itself. */
    private List<RetryPhase> phasesOf(Fields fields) {
        if (fields.has("phases")) {
            fields.refuse(SIMPLE_KEYS, "cannot be combined with \"phases\".", "Write it inside a phase.");
            return phases(fields);
        }
        requireRetries(fields, "retry policy");
        return RetryPolicy.onePhase(
                fields.whole("max_retries", 0, RetryPolicy.RETRIES_LIMIT).orElse(0),
                delay(fields),
                fields.number("multiplier", 1, RetryPolicy.FACTOR_LIMIT).orElse(1.0));
    }

    private List<RetryPhase> phases(Fields fields) {
        SourceNode node = fields.find("phases").orElseThrow();
        if (!(node instanceof SourceNode.Sequence sequence)) {
            reading.problem(
                    node.mark(),
                    fields.path("phases"),
                    "phases is " + node.phrase() + " (expected: a list).",
                    "Write a list of phases, for example [{max_retries: 3, delay: 1s}].");
            return List.of();
        }
        List<RetryPhase> phases = new ArrayList<>();
        int retries = 0;
        for (int i = 0; i < sequence.items().size(); i++) {
            Optional<RetryPhase> phase = phase(sequence.items().get(i), Paths.element(fields.path("phases"), i));
            retries += phase.map(RetryPhase::retries).orElse(0);
            phase.ifPresent(phases::add);
        }
        if (phases.size() > RetryPolicy.PHASES_LIMIT || retries > RetryPolicy.RETRIES_LIMIT) {
            reading.problem(
                    node.mark(),
                    fields.path("phases"),
                    "There are " + phases.size() + " phases with " + retries + " retries in all (expected: at most "
                            + RetryPolicy.PHASES_LIMIT + " phases and " + RetryPolicy.RETRIES_LIMIT + " retries).",
                    "Remove some of them.");
            return List.of();
        }
        return phases;
    }

    private Optional<RetryPhase> phase(SourceNode node, String path) {
        Fields fields = Fields.of(reading.problems(), node, path, "a phase of retries", PHASE_KEYS);
        requireRetries(fields, "phase");
        RetryPhase.Shape shape = shape(fields);
        int factorMin = shape == RetryPhase.Shape.EXPONENTIAL ? 1 : 0;
        Optional<Integer> retries = fields.whole("max_retries", 1, RetryPolicy.RETRIES_LIMIT);
        double factor =
                fields.number("factor", factorMin, RetryPolicy.FACTOR_LIMIT).orElse(1.0);
        Duration delay = delay(fields);
        boolean steady = fields.bool("steady").orElse(false);
        return retries.map(count -> new RetryPhase(shape, count, delay, factor, steady));
    }

    private RetryPhase.Shape shape(Fields fields) {
        Optional<String> name = fields.text("shape");
        for (RetryPhase.Shape shape : RetryPhase.Shape.values()) {
            if (name.isPresent() && shape.name().toLowerCase(Locale.ROOT).equals(name.get())) {
                return shape;
            }
        }
        name.ifPresent(unknown -> reading.problem(
                fields.find("shape").orElseThrow().mark(),
                fields.path("shape"),
                "shape is \"" + unknown + "\" (expected: constant, linear, exponential or power).",
                "Write one of these, or leave it out for constant."));
        return RetryPhase.Shape.CONSTANT;
    }

    private static Duration delay(Fields fields) {
        return fields.duration("delay", Duration.ZERO, RetryPolicy.DELAY_LIMIT).orElse(Duration.ZERO);
    }

    private void requireRetries(Fields fields, String what) {
        if (fields.isObject() && !fields.has("max_retries")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "The " + what + " has no max_retries.",
                    "Add max_retries, for example max_retries: 3.");
        }
    }
}
