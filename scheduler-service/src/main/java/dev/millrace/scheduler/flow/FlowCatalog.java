package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.FlowModels;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Cache of compiled flows by hash, with their sub-flows resolved. Versions are immutable, so a compiled model never
 * goes stale. A miss blocks; thread-safe.
 */
public final class FlowCatalog implements FlowModels {
    private static final int VERSIONS_MAX = 1_000;
    private static final Limits LIMITS = Limits.ofHeap(Runtime.getRuntime().maxMemory());

    private final FlowStore store;
    private final Defaults defaults;
    private final BoundedCache<String, Version> versions = new BoundedCache<>(VERSIONS_MAX);

    private record Version(FlowModel model, InputCheck inputs) {}

    public FlowCatalog(FlowStore store, Defaults defaults) {
        this.store = store;
        this.defaults = defaults;
    }

    @Override
    public Optional<FlowModel> compiled(String flowHash) {
        return versions.find(flowHash).map(Version::model);
    }

    /**
     * Returns the model of a version.
     *
     * @throws MillraceException with {@link ErrorCode#FLOW_NOT_FOUND} if the version does not exist
     */
    @Override
    public FlowModel model(String flowHash) {
        return version(flowHash).model();
    }

    /**
     * Returns the check for the inputs of runs of a version.
     *
     * @throws MillraceException with {@link ErrorCode#FLOW_NOT_FOUND} if the version does not exist
     */
    public InputCheck inputs(String flowHash) {
        return version(flowHash).inputs();
    }

    private Version version(String flowHash) {
        return versions.find(flowHash, hash -> compile(hash).map(this::resolve)).orElseThrow(() -> notFound(flowHash));
    }

    private Optional<CompiledVersion> compile(String hash) {
        return store.findVersion(hash).map(version -> CompiledVersion.of(hash, version));
    }

    private Version resolve(CompiledVersion version) {
        Map<String, SubFlows.Version> inside = new HashMap<>();
        Set<String> runs = new HashSet<>();
        version.stored().subFlows().forEach((path, hash) -> {
            if (hash.equals(SubFlowVersions.OWN_RUN)) {
                runs.add(path);
            } else {
                inside.put(path, compile(hash).orElseThrow(() -> notFound(hash)).asSubFlow());
            }
        });
        FlowModel model = FlowModel.resolve(
                version.flow(), version.stored().scripts(), new SubFlows(inside, runs), defaults, LIMITS);
        return new Version(model, version.inputs());
    }

    private static MillraceException notFound(String hash) {
        return new MillraceException(
                ErrorCode.FLOW_NOT_FOUND, "There is no flow version " + hash + ": deploy it first.");
    }
}
