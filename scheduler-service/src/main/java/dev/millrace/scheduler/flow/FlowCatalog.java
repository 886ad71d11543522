package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.core.Defaults;
import dev.millrace.scheduler.flow.core.FlowModel;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.runtime.BoundedCache;

/** The compiled flows by hash. Versions never change, so that a model once made stays right. Blocking on a miss; thread-safe. */
public final class FlowCatalog {
    private static final int MODELS_MAX = 1_000;

    private final FlowStore store;
    private final Defaults defaults;
    private final BoundedCache<String, FlowModel> models = new BoundedCache<>(MODELS_MAX);

    public FlowCatalog(FlowStore store, Defaults defaults) {
        this.store = store;
        this.defaults = defaults;
    }

    /** The model of a version. Fails with {@link ErrorCode#FLOW_NOT_FOUND} where there is none. */
    public FlowModel model(String flowHash) {
        return models.find(flowHash, hash -> store.findVersion(hash).map(version -> compile(hash, version)))
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.FLOW_NOT_FOUND, "There is no flow version " + flowHash + ": deploy it first."));
    }

    private FlowModel compile(String hash, FlowVersion version) {
        return switch (FlowCompiler.compile(version.source())) {
            case Compilation.Compiled compiled -> FlowModel.resolve(compiled.flow(), version.scripts(), defaults);
            case Compilation.Rejected rejected ->
                throw new MillraceException(
                        ErrorCode.INTERNAL,
                        "The flow version " + hash + " was valid when it was deployed, but does not compile any more: "
                                + rejected.problems());
        };
    }
}
