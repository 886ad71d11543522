package dev.millrace.scheduler.submission;

import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the limit of a spec. */
final class LimitReader {
    private LimitReader() {}

    /** Reads the limit. If it has no key, all jobs of the same handler or the same version of a script share it. */
    static Optional<JobLimit> read(RunSpec spec, JobTarget target) {
        if (!spec.hasLimit()) {
            return Optional.empty();
        }
        var limit = spec.getLimit();
        String key = limit.getKey().isEmpty() ? nameOf(target) : limit.getKey();
        if (key.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("key: contains a NUL character (expected: none)");
        }
        OptionalInt max = limit.getMax() == 0 ? OptionalInt.empty() : OptionalInt.of(limit.getMax());
        Optional<JobLimit.Rate> rate = limit.hasRate()
                ? Optional.of(new JobLimit.Rate(
                        limit.getRate().getCount(),
                        TimeProtos.duration(limit.getRate().getPer())))
                : Optional.empty();
        return Optional.of(new JobLimit(key, max, rate));
    }

    private static String nameOf(JobTarget target) {
        return switch (target) {
            case JobTarget.Script script -> script.hash();
            case JobTarget.Handler handler -> handler.name();
        };
    }
}
