package dev.millrace.scheduler.version;

import dev.millrace.proto.version.v1.DeployedVersion;
import dev.millrace.proto.version.v1.ListVersionsRequest;
import dev.millrace.proto.version.v1.ListVersionsResponse;
import dev.millrace.proto.version.v1.VersionServiceGrpc;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** gRPC service for the versions of paths. */
public final class VersionGrpcService extends VersionServiceGrpc.VersionServiceImplBase {
    private final Deployments deployments;

    public VersionGrpcService(Database database) {
        this.deployments = new Deployments(database);
    }

    @Override
    public void listVersions(ListVersionsRequest request, StreamObserver<ListVersionsResponse> observer) {
        VersionKind kind = switch (request.getKind()) {
            case KIND_SCRIPT -> VersionKind.SCRIPT;
            case KIND_FLOW -> VersionKind.FLOW;
            case KIND_UNSPECIFIED, UNRECOGNIZED ->
                throw MillraceException.invalid("kind", "not given (expected: a script or a flow)");
        };
        PageRequest.Page<Deployments.Deployment> page = deployments.list(
                RequestFields.workspace(request.getWorkspace()),
                kind,
                request.getPath(),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListVersionsResponse.newBuilder()
                        .addAllVersions(page.items().stream()
                                .map(VersionGrpcService::version)
                                .toList())
                        .setNextPageToken(page.nextToken())
                        .build());
    }

    private static DeployedVersion version(Deployments.Deployment deployment) {
        return DeployedVersion.newBuilder()
                .setNumber(deployment.number())
                .setHash(deployment.hash())
                .setActor(deployment.note().actor())
                .setMessage(deployment.note().message())
                .setDeployTime(TimeProtos.timestamp(deployment.time()))
                .setCurrent(deployment.isCurrent())
                .build();
    }
}
