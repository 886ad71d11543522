package dev.millrace.scheduler.blob;

import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.DeleteBlobRequest;
import dev.millrace.proto.blob.v1.DeleteBlobResponse;
import dev.millrace.proto.blob.v1.DownloadBlobRequest;
import dev.millrace.proto.blob.v1.DownloadBlobResponse;
import dev.millrace.proto.blob.v1.DownloadRunBlobRequest;
import dev.millrace.proto.blob.v1.DownloadRunBlobResponse;
import dev.millrace.proto.blob.v1.GetBlobRequest;
import dev.millrace.proto.blob.v1.GetBlobResponse;
import dev.millrace.proto.blob.v1.ListBlobsRequest;
import dev.millrace.proto.blob.v1.ListBlobsResponse;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import dev.millrace.proto.blob.v1.UploadBlobResponse;
import dev.millrace.scheduler.log.RunPhases;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.util.OptionalLong;

/** The gRPC service for people and programs that upload and download blobs. */
public final class BlobGrpcService extends BlobServiceGrpc.BlobServiceImplBase {
    private final Blobs blobs;
    private final RunPhases runs;
    private final Followers readers;

    /** @param readers the callers that read blobs */
    public BlobGrpcService(Blobs blobs, RunPhases runs, Followers readers) {
        this.blobs = blobs;
        this.runs = runs;
        this.readers = readers;
    }

    @Override
    public StreamObserver<UploadBlobRequest> uploadBlob(StreamObserver<UploadBlobResponse> observer) {
        return new UploadProtos<>(
                        blobs,
                        first -> blobs.begin(
                                new BlobOwner.Caller(RequestFields.workspace(first.getWorkspace())),
                                announcement(first)),
                        UploadBlobRequest::getData,
                        blob -> UploadBlobResponse.newBuilder()
                                .setBlob(BlobStreamProtos.blob(blob))
                                .build(),
                        observer)
                .start();
    }

    private static Announcement announcement(UploadBlobRequest first) {
        return new Announcement(
                first.getMediaType(),
                first.hasBytes() ? OptionalLong.of(first.getBytes()) : OptionalLong.empty(),
                first.getSha256());
    }

    @Override
    public void getBlob(GetBlobRequest request, StreamObserver<GetBlobResponse> observer) {
        Blob blob = blobs.get(RequestFields.workspace(request.getWorkspace()), BlobId.parse(request.getBlobId()));
        Unary.answer(
                observer,
                GetBlobResponse.newBuilder()
                        .setBlob(BlobStreamProtos.blob(blob))
                        .build());
    }

    @Override
    public void listBlobs(ListBlobsRequest request, StreamObserver<ListBlobsResponse> observer) {
        var found = blobs.list(
                RequestFields.workspace(request.getWorkspace()),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListBlobsResponse.newBuilder()
                        .addAllBlobs(found.items().stream()
                                .map(BlobGrpcService::listed)
                                .toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    private static dev.millrace.proto.blob.v1.ListedBlob listed(ListedBlob listed) {
        return dev.millrace.proto.blob.v1.ListedBlob.newBuilder()
                .setBlob(BlobStreamProtos.blob(listed.blob()))
                .setCreateTime(TimeProtos.timestamp(listed.createdAt()))
                .setIsUsed(listed.isUsed())
                .build();
    }

    @Override
    public void deleteBlob(DeleteBlobRequest request, StreamObserver<DeleteBlobResponse> observer) {
        Blob blob = blobs.delete(RequestFields.workspace(request.getWorkspace()), BlobId.parse(request.getBlobId()));
        Unary.answer(
                observer,
                DeleteBlobResponse.newBuilder()
                        .setBlob(BlobStreamProtos.blob(blob))
                        .build());
    }

    @Override
    public void downloadBlob(DownloadBlobRequest request, StreamObserver<DownloadBlobResponse> observer) {
        Blob blob = blobs.load(RequestFields.workspace(request.getWorkspace()), BlobId.parse(request.getBlobId()));
        BlobRange range = BlobRange.of(blob.bytes(), request.getOffset(), request.getLength());
        readers.start(
                observer,
                stream -> BlobStreamProtos.send(
                        blobs,
                        blob,
                        range,
                        part -> DownloadBlobResponse.newBuilder().setPart(part).build(),
                        stream));
    }

    @Override
    public void downloadRunBlob(DownloadRunBlobRequest request, StreamObserver<DownloadRunBlobResponse> observer) {
        RunRef run = RequestFields.run(request.getWorkspace(), request.getRunId());
        BlobId id = BlobId.parse(request.getBlobId());
        runs.resolve(run);
        Blob blob = blobs.load(run, id);
        BlobRange range = BlobRange.of(blob.bytes(), request.getOffset(), request.getLength());
        readers.start(
                observer,
                stream -> BlobStreamProtos.send(
                        blobs,
                        blob,
                        range,
                        part -> DownloadRunBlobResponse.newBuilder()
                                .setPart(part)
                                .build(),
                        stream));
    }
}
