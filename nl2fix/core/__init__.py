"""The edit-benchmark core: records, Protocols, edit formats, pass@k, the run store and its stages.

Contract: this package imports no other room of nl2fix and knows no programming language, bug
collection, sandbox or model provider. All of those reach it through the Protocols in
``nl2fix.core.protocols``.
"""
