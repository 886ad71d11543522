package dev.millrace.gateway.blob;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.memory.MemoryPart;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.DeleteBlobRequest;
import dev.millrace.proto.blob.v1.DownloadBlobRequest;
import dev.millrace.proto.blob.v1.GetBlobRequest;
import dev.millrace.proto.blob.v1.GetBlobResponse;
import dev.millrace.proto.blob.v1.ListBlobsRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Endpoints that take, give, list and delete blobs. */
public final class BlobEndpoints {

    private static final String BLOBS = "/api/v1/blobs";
    private static final String BLOB = BLOBS + "/{id}";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final Scheduler scheduler;
    private final EventStreams streams;
    private final MemoryPart bodies;

    /** @param bodies memory for request bodies, of which each upload takes a fixed part */
    public BlobEndpoints(Scheduler scheduler, EventStreams streams, MemoryPart bodies) {
        this.scheduler = scheduler;
        this.streams = streams;
        this.bodies = bodies;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(BLOBS, Set.of(), this::upload).uploading(),
                Endpoint.get(BLOBS, Set.of("page_size", "page_token"), this::list),
                Endpoint.get(BLOB, Set.of(), this::download),
                Endpoint.head(BLOB, Set.of(), this::describe),
                Endpoint.delete(BLOB, Set.of(), this::delete));
    }

    private CompletionStage<HttpResponse> upload(ApiRequest request) {
        var announcement = BlobHeaders.announcement(request.context().request().headers());
        var room = bodies.tryOpen(BlobUpload.BYTES).orElseThrow(BlobEndpoints::tooMany);
        var upload = new BlobUpload(request.context(), scheduler, announcement, room);
        return upload.start()
                .thenApply(blob -> Answers.located(
                        HttpStatus.CREATED, BLOBS + "/" + blob.getId(), json -> BlobJson.write(json, blob)));
    }

    private static ProblemException tooMany() {
        return new ProblemException(new Problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "The gateway already receives as many uploads as its heap allows. Repeat the upload later; if this"
                        + " happens often, give the gateway a larger heap (-Xmx).",
                List.of(),
                RETRY_AFTER));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListBlobsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), BlobServiceGrpc.getListBlobsMethod(), list)
                .thenApply(page -> Answers.page(page.getBlobsList(), page.getNextPageToken(), BlobJson::write));
    }

    private CompletionStage<HttpResponse> describe(ApiRequest request) {
        return find(request).thenApply(blob -> HttpResponse.of(BlobHeaders.whole(blob)));
    }

    private CompletionStage<HttpResponse> download(ApiRequest request) {
        return find(request).thenCompose(blob -> send(request, blob));
    }

    private CompletionStage<Blob> find(ApiRequest request) {
        var get = GetBlobRequest.newBuilder().setBlobId(request.path("id")).build();
        return scheduler
                .call(request.context(), BlobServiceGrpc.getGetBlobMethod(), get)
                .thenApply(GetBlobResponse::getBlob);
    }

    private CompletionStage<HttpResponse> send(ApiRequest request, Blob blob) {
        var headers = request.context().request().headers();
        if (BlobHeaders.isKnown(headers, blob)) {
            return CompletableFuture.completedStage(HttpResponse.of(BlobHeaders.of(HttpStatus.NOT_MODIFIED, blob)));
        }
        var download = DownloadBlobRequest.newBuilder().setBlobId(blob.getId());
        var range = BlobHeaders.range(headers, blob);
        if (range.isEmpty()) {
            return send(request, download.build(), BlobHeaders.whole(blob));
        }
        var wanted = range.get();
        if (!wanted.isSatisfiable()) {
            throw notThere(request, blob);
        }
        return send(
                request,
                download.setOffset(wanted.offset()).setLength(wanted.length()).build(),
                BlobHeaders.part(blob, wanted));
    }

    private CompletionStage<HttpResponse> send(
            ApiRequest request, DownloadBlobRequest message, ResponseHeaders headers) {
        return streams.bytes(
                request,
                BlobServiceGrpc.getDownloadBlobMethod(),
                message,
                headers,
                answer -> answer.getPart().getData());
    }

    private static ProblemException notThere(ApiRequest request, Blob blob) {
        request.context().setAdditionalResponseHeader(HttpHeaderNames.CONTENT_RANGE, "bytes */" + blob.getBytes());
        return new ProblemException(Problem.of(
                HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
                "blob_too_short",
                "The blob has " + blob.getBytes() + " bytes, so it has none in the range that the request names."));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete =
                DeleteBlobRequest.newBuilder().setBlobId(request.path("id")).build();
        return scheduler
                .call(request.context(), BlobServiceGrpc.getDeleteBlobMethod(), delete)
                .thenApply(deleted -> Answers.json(json -> BlobJson.write(json, deleted.getBlob())));
    }
}
