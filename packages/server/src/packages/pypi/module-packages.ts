/** Packages whose modules have another name, by module. */
const packages: Record<string, string> = Object.fromEntries(
  `PIL=pillow cv2=opencv-python-headless sklearn=scikit-learn skimage=scikit-image yaml=pyyaml bs4=beautifulsoup4 dotenv=python-dotenv
  dateutil=python-dateutil attr=attrs Crypto=pycryptodome Cryptodome=pycryptodomex docx=python-docx pptx=python-pptx faiss=faiss-cpu
  fitz=pymupdf git=gitpython github=pygithub gitlab=python-gitlab google=google-api-python-client googleapiclient=google-api-python-client
  jose=python-jose jwt=pyjwt magic=python-magic MySQLdb=mysqlclient OpenSSL=pyopenssl psycopg2=psycopg2-binary serial=pyserial
  slugify=python-slugify telegram=python-telegram-bot umap=umap-learn usb=pyusb websocket=websocket-client zmq=pyzmq pkg_resources=setuptools
  mpl_toolkits=matplotlib pylab=matplotlib win32api=pywin32 Levenshtein=levenshtein markdown2=markdown2 markdown=markdown multipart=python-multipart
  ruamel=ruamel-yaml lxml_html_clean=lxml-html-clean html2text=html2text pdfminer=pdfminer-six PyPDF2=pypdf2 pypdf=pypdf reportlab=reportlab
  sentence_transformers=sentence-transformers prompt_toolkit=prompt-toolkit google_auth_oauthlib=google-auth-oauthlib nacl=pynacl
  ldap=python-ldap snowflake=snowflake-connector-python discord=discord-py discordwebhook=discordwebhook flask_cors=flask-cors
  flask_sqlalchemy=flask-sqlalchemy rest_framework=djangorestframework environ=django-environ socketio=python-socketio engineio=python-engineio
  jsonpath_ng=jsonpath-ng typing_extensions=typing-extensions importlib_metadata=importlib-metadata more_itertools=more-itertools
  charset_normalizer=charset-normalizer dns=dnspython pythonjsonlogger=python-json-logger graphql=graphql-core mako=mako memcache=python-memcached
  kafka=kafka-python nats=nats-py paho=paho-mqtt pika=pika pymysql=pymysql pysftp=pysftp pywt=pywavelets Bio=biopython rdkit=rdkit osgeo=gdal
  cartopy=cartopy fiona=fiona rasterio=rasterio igraph=igraph community=python-louvain wordcloud=wordcloud pyLDAvis=pyldavis hdbscan=hdbscan
  imblearn=imbalanced-learn mlxtend=mlxtend pytorch_lightning=pytorch-lightning torchaudio=torchaudio tensorflow_datasets=tensorflow-datasets
  keras_tuner=keras-tuner langchain_openai=langchain-openai langchain_core=langchain-core llama_index=llama-index qdrant_client=qdrant-client
  chromadb=chromadb pinecone=pinecone mistralai=mistralai azure=azure-identity botocore=botocore speech_recognition=speechrecognition
  moviepy=moviepy pydub=pydub soundfile=soundfile librosa=librosa pytesseract=pytesseract pyzbar=pyzbar qrcode=qrcode barcode=python-barcode
  xlwt=xlwt odf=odfpy docxtpl=docxtpl unidecode=unidecode fuzzywuzzy=fuzzywuzzy rapidfuzz=rapidfuzz thefuzz=thefuzz ics=ics icalendar=icalendar
  absl=absl-py flatbuffers=flatbuffers pyperclip=pyperclip pyautogui=pyautogui pynput=pynput gi=pygobject wx=wxpython lief=lief
  Xlib=python-xlib zstandard=zstandard lz4=lz4 snappy=python-snappy brotli=brotli ujson=ujson orjson=orjson simplejson=simplejson
  toml=toml tomli=tomli tomlkit=tomlkit tomli_w=tomli-w hjson=hjson json5=json5 jsonschema=jsonschema cerberus=cerberus pint=pint`
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
)

const sameName = new Set(
  `aiofiles aiohttp altair anthropic apscheduler arrow asyncpg bcrypt black bokeh boto3 cachetools catboost celery certifi cffi chardet click
  cloudpickle colorama colorlog contourpy cryptography cycler cython dask deepdiff dill django duckdb emoji faker fastapi fastparquet feedparser filelock flask
  fonttools fsspec ftfy gensim geopandas geopy gevent greenlet gradio gunicorn h5py httpx humanize hypothesis idna inflect ipython isodate
  jinja2 joblib keras kiwisolver langchain lightgbm litellm loguru lxml marshmallow matplotlib mistune msgpack mypy narwhals networkx nltk
  numba numexpr numpy openai openpyxl optuna packaging pandas paramiko parse passlib peewee pendulum pillow playwright plotly polars prophet
  protobuf psutil psycopg pulp pyarrow pycountry pydantic pydantic_settings pygame pygments pymongo pyparsing pytest pytz pyvis redis regex
  requests rich ruff scipy scrapy seaborn selenium shap shapely six sortedcontainers spacy sqlalchemy sqlglot sqlmodel starlette statsmodels streamlit
  structlog sympy tabulate tenacity tensorflow termcolor textblob tiktoken tldextract torch torchvision tornado tqdm transformers trio typer
  tzdata tzlocal urllib3 uvicorn validators vaderSentiment watchdog websockets werkzeug wikipedia wrapt xarray xgboost xlrd xlsxwriter
  xmltodict yarl yfinance zeep`.split(/\s+/),
)

/** The package that brings a module of Python, where that is known. */
export function pythonPackageOf(module: string): string | undefined {
  if (Object.hasOwn(packages, module)) return packages[module]
  return sameName.has(module) ? module.toLowerCase().replaceAll('_', '-') : undefined
}
