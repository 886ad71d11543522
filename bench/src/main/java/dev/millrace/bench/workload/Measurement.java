package dev.millrace.bench.workload;

import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Profile;
import dev.millrace.bench.system.Usage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The measured part of a workload after its warm-up: the resources used, and a profile if requested. */
final class Measurement {
    private final Installation installation;
    private final Usage start;
    private final @Nullable Profile profile;

    private Measurement(Installation installation, Usage start, @Nullable Profile profile) {
        this.installation = installation;
        this.start = start;
        this.profile = profile;
    }

    static Measurement begin(Bench bench, Installation installation, String workload) throws Exception {
        Profile profile = bench.options().profileFolder().isEmpty()
                ? null
                : Profile.begin(installation, bench.options().profileFolder().get(), workload);
        return new Measurement(installation, installation.usage(), profile);
    }

    /** Ends the measurement; returns the resources used per thousand of the steps since its beginning. */
    Map<String, Double> end(long steps) throws Exception {
        Usage end = installation.usage();
        if (profile != null) {
            profile.end();
        }
        return end.perThousandStepsSince(start, steps);
    }
}
