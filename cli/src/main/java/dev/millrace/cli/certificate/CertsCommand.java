package dev.millrace.cli.certificate;

import picocli.CommandLine.Command;

/** {@code millrace certs}. */
@Command(name = "certs", description = "Make certificates for trials of TLS.", subcommands = CertsDevCommand.class)
public final class CertsCommand {}
