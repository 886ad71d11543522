package dev.millrace.scheduler.blob;

import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.DownloadBlobRequest;
import dev.millrace.proto.blob.v1.DownloadBlobResponse;
import dev.millrace.proto.blob.v1.DownloadRunBlobRequest;
import dev.millrace.proto.blob.v1.DownloadRunBlobResponse;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import dev.millrace.proto.blob.v1.UploadBlobResponse;
import dev.millrace.scheduler.log.RunPhases;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.rpc.RequestFields;
import io.grpc.stub.StreamObserver;

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
                                first.getMediaType()),
                        UploadBlobRequest::getData,
                        blob -> UploadBlobResponse.newBuilder()
                                .setBlob(BlobStreamProtos.blob(blob))
                                .build(),
                        observer)
                .start();
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
