"""A protoc plugin that writes Python gRPC stubs.

grpcio-tools has the generator only inside its own protoc: this plugin reads the request that buf sends, runs that protoc on it and
answers with the files it wrote.
"""

import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc


def generate(request: CodeGeneratorRequest) -> CodeGeneratorResponse:
    """Returns the stubs of every service in the files asked for."""
    response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    with tempfile.TemporaryDirectory() as folder:
        descriptors = Path(folder, "descriptors.binpb")
        descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
        out = Path(folder, "out")
        out.mkdir()
        status = protoc.main(
            ["protoc", f"--descriptor_set_in={descriptors}", f"--grpc_python_out={out}", *request.file_to_generate]
        )
        if status != 0:
            response.error = f"protoc ended with status {status}; its messages are above"
            return response
        for path in sorted(out.rglob("*.py")):
            response.file.add(name=path.relative_to(out).as_posix(), content=path.read_text())
    return response


if __name__ == "__main__":
    sys.stdout.buffer.write(generate(CodeGeneratorRequest.FromString(sys.stdin.buffer.read())).SerializeToString())
