# The browser table, training and tournaments in a container that needs no network once it is built.
#   docker build -t holdem-env .
#   docker run --rm -p 8765:8765 holdem-env                                           # holdem web, at the address that it prints
#   docker run --rm -v "$PWD/runs:/data/runs" holdem-env train headsup_nolimit_100bb --seconds 60
# docs/strangers.md says how to run a tournament without network and rights.
FROM python:3.12-slim

# Agents of strangers play in bubblewrap, which pip brings, behind a filter by libseccomp.
RUN apt-get update && apt-get install -y --no-install-recommends libseccomp2 && rm -rf /var/lib/apt/lists/*

WORKDIR /library
COPY . .
# PyTorch for processors alone.
RUN pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu -c constraints.txt ".[train,web,online]"

# Compile once. The container may write here; agents in isolation may not.
ENV HOLDEM_CACHE_DIR=/cache
RUN holdem compile && mkdir -p /data/runs && chown -R 1000:1000 /cache /data

WORKDIR /data
USER 1000:1000
ENV HOME=/tmp
EXPOSE 8765
ENTRYPOINT ["holdem"]
CMD ["web", "--host", "0.0.0.0", "--no-browser"]
