/** Certificates in PEM files that are read again when they change, and what connections need of them. */
@NullMarked
package dev.millrace.tls;

import org.jspecify.annotations.NullMarked;
