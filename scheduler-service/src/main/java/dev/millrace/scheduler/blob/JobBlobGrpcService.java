package dev.millrace.scheduler.blob;

import dev.millrace.proto.worker.v1.JobBlobServiceGrpc;
import dev.millrace.proto.worker.v1.LoadJobBlobRequest;
import dev.millrace.proto.worker.v1.LoadJobBlobResponse;
import dev.millrace.proto.worker.v1.SaveJobBlobRequest;
import dev.millrace.proto.worker.v1.SaveJobBlobResponse;
import dev.millrace.scheduler.jobapi.LeaseCredential;
import dev.millrace.scheduler.rpc.Followers;
import io.grpc.stub.StreamObserver;

/** The gRPC service for running jobs that save and load blobs. */
public final class JobBlobGrpcService extends JobBlobServiceGrpc.JobBlobServiceImplBase {
    private final Blobs blobs;
    private final Followers readers;

    /** @param readers the callers that read blobs */
    public JobBlobGrpcService(Blobs blobs, Followers readers) {
        this.blobs = blobs;
        this.readers = readers;
    }

    @Override
    public StreamObserver<SaveJobBlobRequest> saveJobBlob(StreamObserver<SaveJobBlobResponse> observer) {
        return new UploadProtos<>(
                        blobs,
                        first -> blobs.begin(
                                new BlobOwner.Job(LeaseCredential.parse(first.getJobId(), first.getLeaseToken())),
                                Announcement.of(first.getMediaType())),
                        SaveJobBlobRequest::getData,
                        blob -> SaveJobBlobResponse.newBuilder()
                                .setBlob(BlobStreamProtos.blob(blob))
                                .build(),
                        observer)
                .start();
    }

    @Override
    public void loadJobBlob(LoadJobBlobRequest request, StreamObserver<LoadJobBlobResponse> observer) {
        LeaseCredential lease = LeaseCredential.parse(request.getJobId(), request.getLeaseToken());
        Blob blob = blobs.load(lease, BlobId.parse(request.getBlobId()));
        readers.start(
                observer,
                stream -> BlobStreamProtos.send(
                        blobs,
                        blob,
                        new BlobRange(0, blob.bytes()),
                        part -> LoadJobBlobResponse.newBuilder().setPart(part).build(),
                        stream));
    }
}
