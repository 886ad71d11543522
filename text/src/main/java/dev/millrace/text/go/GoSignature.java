package dev.millrace.text.go;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a script's {@code main}, which the input fills.
 *
 * @param structs the structs that the types of the parameters name
 */
public record GoSignature(List<Parameter> parameters, Map<String, GoType.Struct> structs) {
    public GoSignature {
        parameters = List.copyOf(parameters);
        structs = Map.copyOf(structs);
    }

    /** A parameter, whose name is also that of its input. */
    public record Parameter(String name, GoType type) {
        public Parameter {
            requireNonNull(name, "name");
            requireNonNull(type, "type");
        }

        /** Whether a job certainly fails if the input lacks it. */
        public boolean isRequired() {
            return !(type instanceof GoType.Pointer) && type != GoType.Scalar.CONTEXT && type != GoType.Scalar.UNKNOWN;
        }
    }

    /**
     * Reads a script.
     *
     * @return empty for a package {@code main}, which reads its input itself, and for a source that is not certain
     */
    public static Optional<GoSignature> of(String source) {
        return GoFile.read(source).flatMap(file -> new GoTypes(file).signature());
    }
}
