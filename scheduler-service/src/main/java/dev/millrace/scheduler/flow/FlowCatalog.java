package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.core.Defaults;
import dev.millrace.scheduler.flow.core.FlowDefinition;
import dev.millrace.scheduler.flow.core.FlowModel;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.runtime.BoundedCache;
import dev.millrace.scheduler.schema.SchemaInvalid;

/** The compiled flows by hash. Versions never change, so that a model once made stays right. Blocking on a miss; thread-safe. */
public final class FlowCatalog {
    private static final int VERSIONS_MAX = 1_000;

    private final FlowStore store;
    private final Defaults defaults;
    private final BoundedCache<String, Version> versions = new BoundedCache<>(VERSIONS_MAX);

    private record Version(FlowModel model, InputCheck inputs) {}

    public FlowCatalog(FlowStore store, Defaults defaults) {
        this.store = store;
        this.defaults = defaults;
    }

    /** The model of a version. Fails with {@link ErrorCode#FLOW_NOT_FOUND} where there is none. */
    public FlowModel model(String flowHash) {
        return version(flowHash).model();
    }

    /** What checks the inputs of runs of a version. Fails with {@link ErrorCode#FLOW_NOT_FOUND} where there is none. */
    public InputCheck inputs(String flowHash) {
        return version(flowHash).inputs();
    }

    private Version version(String flowHash) {
        return versions.find(flowHash, hash -> store.findVersion(hash).map(version -> compile(hash, version)))
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.FLOW_NOT_FOUND, "There is no flow version " + flowHash + ": deploy it first."));
    }

    private Version compile(String hash, FlowVersion version) {
        return switch (FlowCompiler.compile(version.source())) {
            case Compilation.Compiled compiled ->
                new Version(
                        FlowModel.resolve(compiled.flow(), version.scripts(), defaults), inputs(hash, compiled.flow()));
            case Compilation.Rejected rejected -> throw broken(hash, rejected.problems());
        };
    }

    private static InputCheck inputs(String hash, FlowDefinition flow) {
        try {
            return InputCheck.of(flow);
        } catch (SchemaInvalid invalid) {
            throw broken(hash, invalid.problem());
        }
    }

    private static MillraceException broken(String hash, Object problems) {
        return new MillraceException(
                ErrorCode.INTERNAL,
                "The flow version " + hash + " was valid when it was deployed, but does not compile any more: "
                        + problems);
    }
}
