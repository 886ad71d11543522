package dev.millrace.scheduler.submission;

import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.time.Duration;

/** Reads the retry policy of a spec. Fails with {@link IllegalArgumentException} if the policy is invalid. */
final class RetryReader {
    private RetryReader() {}

    static RetryPolicy read(RunSpec spec) {
        if (!spec.hasRetry()) {
            return RetryPolicy.NONE;
        }
        var retry = spec.getRetry();
        Duration delayMax =
                retry.hasMaxDelay() ? TimeProtos.duration(retry.getMaxDelay()) : RetryPolicy.DELAY_MAX_DEFAULT;
        if (retry.getPhasesCount() == 0) {
            return new RetryPolicy(
                    retry.getMaxRetries(),
                    TimeProtos.duration(retry.getDelay()),
                    oneUnlessGiven(retry.getMultiplier()),
                    delayMax,
                    retry.getJitter());
        }
        if (retry.getMaxRetries() != 0 || retry.hasDelay() || retry.getMultiplier() != 0) {
            throw new IllegalArgumentException(
                    "has both phases and max_retries, delay or multiplier: set either the phases or the others");
        }
        return new RetryPolicy(
                retry.getPhasesList().stream().map(RetryReader::phase).toList(), delayMax, retry.getJitter());
    }

    private static RetryPhase phase(dev.millrace.proto.common.v1.RetryPolicy.Phase phase) {
        RetryPhase.Shape shape = switch (phase.getShape()) {
            case SHAPE_UNSPECIFIED, SHAPE_CONSTANT -> RetryPhase.Shape.CONSTANT;
            case SHAPE_LINEAR -> RetryPhase.Shape.LINEAR;
            case SHAPE_EXPONENTIAL -> RetryPhase.Shape.EXPONENTIAL;
            case SHAPE_POWER -> RetryPhase.Shape.POWER;
            case UNRECOGNIZED -> throw new IllegalArgumentException("has a phase of an unknown shape");
        };
        return new RetryPhase(
                shape, phase.getMaxRetries(), TimeProtos.duration(phase.getDelay()), oneUnlessGiven(phase.getFactor()));
    }

    private static double oneUnlessGiven(double factor) {
        return factor == 0 ? 1 : factor;
    }
}
